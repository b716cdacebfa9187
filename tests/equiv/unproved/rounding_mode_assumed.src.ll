declare float @llvm.experimental.constrained.fadd.f32(float, float, metadata, metadata)

define float @mode_assumed(float noundef %a, float noundef %b) {
  %r = call float @llvm.experimental.constrained.fadd.f32(float %a, float %b, metadata !"round.dynamic", metadata !"fpexcept.ignore")
  ret float %r
}
