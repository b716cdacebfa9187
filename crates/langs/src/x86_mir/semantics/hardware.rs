//! The opcodes that intrinsics stand for one for one; what they compute is in [`crate::x86::hardware`].

use super::ints::Current;
use super::table::{Form, Line, Sem};
use super::vectors::both;
use super::{Res, State, X86};
use crate::domain::Domain;
use crate::memory::objects::NamedObjects;
use crate::x86::float::{Convert, Float};
use crate::x86::hardware::Hardware;
use crate::x86::regs::{PhysReg, Unit};

const D: &[u32] = &[64];
const S: &[u32] = &[32];
const X: &[u32] = &[128];
const CODE: bool = true;

/// The opcodes, as [`super::vectors`] has them.
pub(super) const LINES: &[&[Line]] = &[
    &[
        ("CRC32r32r8", &[32], Form::RR, Sem::Hardware(Hardware::Checksum(8))),
        ("CRC32r32m8", &[32], Form::RM, Sem::Hardware(Hardware::Checksum(8))),
        ("CRC32r32r16", &[32], Form::RR, Sem::Hardware(Hardware::Checksum(16))),
        ("CRC32r32m16", &[32], Form::RM, Sem::Hardware(Hardware::Checksum(16))),
        ("CRC32r32r32", &[32], Form::RR, Sem::Hardware(Hardware::Checksum(32))),
        ("CRC32r32m32", &[32], Form::RM, Sem::Hardware(Hardware::Checksum(32))),
        ("CRC32r64r8", &[64], Form::RR, Sem::Hardware(Hardware::Checksum(8))),
        ("CRC32r64m8", &[64], Form::RM, Sem::Hardware(Hardware::Checksum(8))),
        ("CRC32r64r64", &[64], Form::RR, Sem::Hardware(Hardware::Checksum(64))),
        ("CRC32r64m64", &[64], Form::RM, Sem::Hardware(Hardware::Checksum(64))),
    ],
    both!(X, Sem::Hardware(Hardware::Named2("aesenc", !CODE)), "AESENC"),
    both!(X, Sem::Hardware(Hardware::Named2("aesenclast", !CODE)), "AESENCLAST"),
    both!(X, Sem::Hardware(Hardware::Named2("aesdec", !CODE)), "AESDEC"),
    both!(X, Sem::Hardware(Hardware::Named2("aesdeclast", !CODE)), "AESDECLAST"),
    both!(X, Sem::Hardware(Hardware::Named1("aesimc", !CODE)), "AESIMC"),
    both!(X, Sem::Hardware(Hardware::Named1("aeskeygenassist", CODE)), "AESKEYGENASSIST128"),
    &[
        ("AESKEYGENASSISTrri", X, Form::RR, Sem::Hardware(Hardware::Named1("aeskeygenassist", CODE))),
        ("AESKEYGENASSISTrmi", X, Form::RM, Sem::Hardware(Hardware::Named1("aeskeygenassist", CODE))),
    ],
    &[
        ("PCLMULQDQrr", X, Form::RR, Sem::Hardware(Hardware::CarrylessProduct)),
        ("PCLMULQDQrm", X, Form::RM, Sem::Hardware(Hardware::CarrylessProduct)),
        ("PCLMULQDQrri", X, Form::RR, Sem::Hardware(Hardware::CarrylessProduct)),
        ("PCLMULQDQrmi", X, Form::RM, Sem::Hardware(Hardware::CarrylessProduct)),
    ],
    both!(X, Sem::Hardware(Hardware::Named2("sha1msg1", !CODE)), "SHA1MSG1"),
    both!(X, Sem::Hardware(Hardware::Named2("sha1msg2", !CODE)), "SHA1MSG2"),
    both!(X, Sem::Hardware(Hardware::Named2("sha1nexte", !CODE)), "SHA1NEXTE"),
    both!(X, Sem::Hardware(Hardware::Named2("sha256msg1", !CODE)), "SHA256MSG1"),
    both!(X, Sem::Hardware(Hardware::Named2("sha256msg2", !CODE)), "SHA256MSG2"),
    &[
        ("SHA1RNDS4rri", X, Form::RR, Sem::Hardware(Hardware::Named2("sha1rnds4", CODE))),
        ("SHA1RNDS4rmi", X, Form::RM, Sem::Hardware(Hardware::Named2("sha1rnds4", CODE))),
    ],
    both!(X, Sem::Hardware(Hardware::Named3("sha256rnds2")), "SHA256RNDS2"),
    &[
        ("RCPPSr", S, Form::RR, Sem::Hardware(Hardware::Estimate("rcp"))),
        ("RCPPSm", S, Form::RM, Sem::Hardware(Hardware::Estimate("rcp"))),
        ("RSQRTPSr", S, Form::RR, Sem::Hardware(Hardware::Estimate("rsqrt"))),
        ("RSQRTPSm", S, Form::RM, Sem::Hardware(Hardware::Estimate("rsqrt"))),
        ("RCPSSr_Int", S, Form::RR, Sem::Hardware(Hardware::EstimateLow("rcp"))),
        ("RCPSSm_Int", S, Form::RM, Sem::Hardware(Hardware::EstimateLow("rcp"))),
        ("RSQRTSSr_Int", S, Form::RR, Sem::Hardware(Hardware::EstimateLow("rsqrt"))),
        ("RSQRTSSm_Int", S, Form::RM, Sem::Hardware(Hardware::EstimateLow("rsqrt"))),
    ],
    &[
        ("ADDSSrr_Int", S, Form::RR, Sem::Hardware(Hardware::Low(Float::Add))),
        ("ADDSSrm_Int", S, Form::RM, Sem::Hardware(Hardware::Low(Float::Add))),
        ("SUBSSrr_Int", S, Form::RR, Sem::Hardware(Hardware::Low(Float::Sub))),
        ("SUBSSrm_Int", S, Form::RM, Sem::Hardware(Hardware::Low(Float::Sub))),
        ("MULSSrr_Int", S, Form::RR, Sem::Hardware(Hardware::Low(Float::Mul))),
        ("MULSSrm_Int", S, Form::RM, Sem::Hardware(Hardware::Low(Float::Mul))),
        ("DIVSSrr_Int", S, Form::RR, Sem::Hardware(Hardware::Low(Float::Div))),
        ("DIVSSrm_Int", S, Form::RM, Sem::Hardware(Hardware::Low(Float::Div))),
        ("MINSSrr_Int", S, Form::RR, Sem::Hardware(Hardware::Low(Float::Min))),
        ("MINSSrm_Int", S, Form::RM, Sem::Hardware(Hardware::Low(Float::Min))),
        ("MAXSSrr_Int", S, Form::RR, Sem::Hardware(Hardware::Low(Float::Max))),
        ("MAXSSrm_Int", S, Form::RM, Sem::Hardware(Hardware::Low(Float::Max))),
        ("SQRTSSr_Int", S, Form::RR, Sem::Hardware(Hardware::RootLow)),
        ("SQRTSSm_Int", S, Form::RM, Sem::Hardware(Hardware::RootLow)),
        ("CMPSSrr_Int", S, Form::RR, Sem::Hardware(Hardware::MaskLow)),
        ("CMPSSrm_Int", S, Form::RM, Sem::Hardware(Hardware::MaskLow)),
        ("CMPSSrri_Int", S, Form::RR, Sem::Hardware(Hardware::MaskLow)),
        ("CMPSSrmi_Int", S, Form::RM, Sem::Hardware(Hardware::MaskLow)),
        ("ROUNDSSr_Int", S, Form::RR, Sem::Hardware(Hardware::RoundLow)),
        ("ROUNDSSm_Int", S, Form::RM, Sem::Hardware(Hardware::RoundLow)),
        ("ROUNDSSri_Int", S, Form::RR, Sem::Hardware(Hardware::RoundLow)),
        ("ROUNDSSmi_Int", S, Form::RM, Sem::Hardware(Hardware::RoundLow)),
        ("ADDSDrr_Int", D, Form::RR, Sem::Hardware(Hardware::Low(Float::Add))),
        ("ADDSDrm_Int", D, Form::RM, Sem::Hardware(Hardware::Low(Float::Add))),
        ("SUBSDrr_Int", D, Form::RR, Sem::Hardware(Hardware::Low(Float::Sub))),
        ("SUBSDrm_Int", D, Form::RM, Sem::Hardware(Hardware::Low(Float::Sub))),
        ("MULSDrr_Int", D, Form::RR, Sem::Hardware(Hardware::Low(Float::Mul))),
        ("MULSDrm_Int", D, Form::RM, Sem::Hardware(Hardware::Low(Float::Mul))),
        ("DIVSDrr_Int", D, Form::RR, Sem::Hardware(Hardware::Low(Float::Div))),
        ("DIVSDrm_Int", D, Form::RM, Sem::Hardware(Hardware::Low(Float::Div))),
        ("MINSDrr_Int", D, Form::RR, Sem::Hardware(Hardware::Low(Float::Min))),
        ("MINSDrm_Int", D, Form::RM, Sem::Hardware(Hardware::Low(Float::Min))),
        ("MAXSDrr_Int", D, Form::RR, Sem::Hardware(Hardware::Low(Float::Max))),
        ("MAXSDrm_Int", D, Form::RM, Sem::Hardware(Hardware::Low(Float::Max))),
        ("SQRTSDr_Int", D, Form::RR, Sem::Hardware(Hardware::RootLow)),
        ("SQRTSDm_Int", D, Form::RM, Sem::Hardware(Hardware::RootLow)),
        ("CMPSDrr_Int", D, Form::RR, Sem::Hardware(Hardware::MaskLow)),
        ("CMPSDrm_Int", D, Form::RM, Sem::Hardware(Hardware::MaskLow)),
        ("CMPSDrri_Int", D, Form::RR, Sem::Hardware(Hardware::MaskLow)),
        ("CMPSDrmi_Int", D, Form::RM, Sem::Hardware(Hardware::MaskLow)),
        ("ROUNDSDr_Int", D, Form::RR, Sem::Hardware(Hardware::RoundLow)),
        ("ROUNDSDm_Int", D, Form::RM, Sem::Hardware(Hardware::RoundLow)),
        ("ROUNDSDri_Int", D, Form::RR, Sem::Hardware(Hardware::RoundLow)),
        ("ROUNDSDmi_Int", D, Form::RM, Sem::Hardware(Hardware::RoundLow)),
        ("CVTSD2SSrr_Int", S, Form::RR, Sem::Hardware(Hardware::ConvertLow(Convert::Format(64)))),
        ("CVTSS2SDrr_Int", D, Form::RR, Sem::Hardware(Hardware::ConvertLow(Convert::Format(32)))),
        ("CVTSI2SSrr_Int", S, Form::RR, Sem::Hardware(Hardware::ConvertLow(Convert::FromInt(32)))),
        ("CVTSI642SSrr_Int", S, Form::RR, Sem::Hardware(Hardware::ConvertLow(Convert::FromInt(64)))),
        ("CVTSI2SDrr_Int", D, Form::RR, Sem::Hardware(Hardware::ConvertLow(Convert::FromInt(32)))),
        ("CVTSI642SDrr_Int", D, Form::RR, Sem::Hardware(Hardware::ConvertLow(Convert::FromInt(64)))),
        ("CVTSD2SSrm_Int", S, Form::RM, Sem::Hardware(Hardware::ConvertLow(Convert::Format(64)))),
        ("CVTSS2SDrm_Int", D, Form::RM, Sem::Hardware(Hardware::ConvertLow(Convert::Format(32)))),
        ("CVTSI2SSrm_Int", S, Form::RM, Sem::Hardware(Hardware::ConvertLow(Convert::FromInt(32)))),
        ("CVTSI642SSrm_Int", S, Form::RM, Sem::Hardware(Hardware::ConvertLow(Convert::FromInt(64)))),
        ("CVTSI2SDrm_Int", D, Form::RM, Sem::Hardware(Hardware::ConvertLow(Convert::FromInt(32)))),
        ("CVTSI642SDrm_Int", D, Form::RM, Sem::Hardware(Hardware::ConvertLow(Convert::FromInt(64)))),
        ("ROUNDPSr", S, Form::RR, Sem::Hardware(Hardware::Round)),
        ("ROUNDPSm", S, Form::RM, Sem::Hardware(Hardware::Round)),
        ("ROUNDPSri", S, Form::RR, Sem::Hardware(Hardware::Round)),
        ("ROUNDPSmi", S, Form::RM, Sem::Hardware(Hardware::Round)),
        ("ROUNDPDr", D, Form::RR, Sem::Hardware(Hardware::Round)),
        ("ROUNDPDm", D, Form::RM, Sem::Hardware(Hardware::Round)),
        ("ROUNDPDri", D, Form::RR, Sem::Hardware(Hardware::Round)),
        ("ROUNDPDmi", D, Form::RM, Sem::Hardware(Hardware::Round)),
    ],
    both!(S, Sem::Hardware(Hardware::Neighbours(Float::Add)), "HADDPS"),
    both!(S, Sem::Hardware(Hardware::Neighbours(Float::Sub)), "HSUBPS"),
    both!(S, Sem::Hardware(Hardware::Alternating), "ADDSUBPS"),
    both!(D, Sem::Hardware(Hardware::Neighbours(Float::Add)), "HADDPD"),
    both!(D, Sem::Hardware(Hardware::Neighbours(Float::Sub)), "HSUBPD"),
    both!(D, Sem::Hardware(Hardware::Alternating), "ADDSUBPD"),
    both!(S, Sem::ConvertPacked(Convert::Nearest(32)), "CVTPS2DQ"),
    both!(S, Sem::ConvertPacked(Convert::Nearest(64)), "CVTPD2DQ"),
    &[
        ("UCOMISSrr_Int", S, Form::RR, Sem::FloatFlags),
        ("UCOMISSrm_Int", S, Form::RM, Sem::FloatFlags),
        ("COMISSrr_Int", S, Form::RR, Sem::FloatFlags),
        ("COMISSrm_Int", S, Form::RM, Sem::FloatFlags),
        ("UCOMISDrr_Int", D, Form::RR, Sem::FloatFlags),
        ("UCOMISDrm_Int", D, Form::RM, Sem::FloatFlags),
        ("COMISDrr_Int", D, Form::RR, Sem::FloatFlags),
        ("COMISDrm_Int", D, Form::RM, Sem::FloatFlags),
        ("CVTTSD2SIrm_Int", D, Form::RM, Sem::ToInt(32)),
        ("CVTTSD2SI64rm_Int", D, Form::RM, Sem::ToInt(64)),
        ("CVTTSS2SIrm_Int", S, Form::RM, Sem::ToInt(32)),
        ("CVTTSS2SI64rm_Int", S, Form::RM, Sem::ToInt(64)),
    ],
];

impl<O: NamedObjects> X86<'_, O> {
    /// The result of an opcode of this table.
    pub(super) fn hardware<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        c: Current<'_>,
        hardware: Hardware,
    ) -> Res<D::Bv> {
        let (lane, vector) = (c.op.width, c.op.vector);
        let whole = if matches!(hardware, Hardware::Checksum(_)) { lane } else { vector };
        let mut inputs = Vec::new();
        for i in 1..hardware.inputs() {
            inputs.push(self.read(d, st, self.at(c.ex, i)?, whole)?);
        }
        inputs.push(self.vector_input(d, st, c, hardware.inputs(), hardware.last_width(lane, vector))?);
        if let Hardware::Named3(_) = hardware {
            inputs.push(self.read_phys(d, st, PhysReg { unit: Unit::Xmm(0), lo: 0, width: 128 })?);
        }
        let code = match hardware.has_code() {
            true => self.code(c, c.ex.len().saturating_sub(1))?,
            false => 0,
        };
        if let Some(assumption) = hardware.assumption() {
            self.assume(assumption);
        }
        match hardware.value(d, lane, &inputs, code) {
            Some(value) => Ok(value),
            None => self.unsupported("immediate of an instruction"),
        }
    }
}
