//! Processors to compile for: of the x86-64 family those that the one here can stand for, of others what `qemu-user`
//! emulates. What does not run after all is left out by the caller, who tries each with [`VECTORS`].

use super::Dish;

/// A program whose loops are made of a processor's vector instructions where it has such.
pub(super) const VECTORS: &str = "unsigned char a[99]; short b[99]; int c[99]; double d[99]; long long e[99];
volatile int one = 1; volatile double sink;
int main(void) {
  double sum = 0;
  for (int i = 0; i < 99; i++) a[i] = (unsigned char)(i * one);
  for (int i = 0; i < 99; i++) b[i] = (short)(a[i] * 3 - i);
  for (int i = 0; i < 99; i++) c[i] = b[i] > 20 ? b[i] + a[i] : -a[i];
  for (int i = 0; i < 99; i++) e[i] += (long long)c[i] * b[98 - i] << (a[i] & 7);
  for (int i = 0; i < 99; i++) d[i] = c[i] * 0.5;
  for (int i = 0; i < 99; i++) sum += d[i] + (double)e[i];
  sink = sum;
  return 0;
}
";

/// What can be drawn for a target, by the processor of its triple and the size of its pointers.
pub(super) fn dishes(triple: &str, pointer_bytes: u8) -> Vec<Dish> {
    match (triple.split('-').next().unwrap_or_default(), pointer_bytes) {
        ("x86_64" | "amd64", 8) => x86_64(),
        (processor, _) => {
            FOREIGN.iter().filter(|(name, _)| *name == processor).map(|(_, ways)| one(ways)).collect()
        }
    }
}

/// Options of other processors, each line a choice. Those with instructions for vectors are where compilers differ most.
const FOREIGN: &[(&str, &[&str])] = &[
    (
        "aarch64",
        &[
            "-march=armv8-a",
            "-march=armv8.2-a+dotprod",
            "-march=armv8.2-a+sve",
            "-march=armv8.5-a+sve2",
            "-march=armv8.6-a+i8mm",
        ],
    ),
    ("aarch64", &["-mtune=cortex-a53", "-mtune=cortex-a72", "-mtune=neoverse-n1", "-mtune=a64fx"]),
    ("arm", &["-march=armv7-a+simd", "-march=armv7ve+simd", "-march=armv8-a+simd"]),
    ("arm", &["-marm", "-mthumb"]),
    ("arm", &["-mtune=cortex-a9", "-mtune=cortex-a15", "-mtune=cortex-a53"]),
    ("riscv64", &["-march=rv64gc", "-march=rv64gc_zba_zbb_zbs", "-march=rv64imafdc_zbc"]),
    ("riscv64", &["-mtune=rocket", "-mtune=sifive-7-series"]),
    ("riscv64", &["-msave-restore", "-mstrict-align"]),
    ("s390x", &["-march=z10", "-march=z13", "-march=z14", "-march=z15"]),
    ("s390x", &["-mtune=zEC12", "-mtune=z14"]),
    ("powerpc64le", &["-mcpu=power8", "-mcpu=power9"]),
    ("powerpc64le", &["-mtune=power8", "-mtune=power10"]),
    ("powerpc64", &["-mcpu=power7", "-mcpu=power8", "-mcpu=power9"]),
];

fn one(words: &[&str]) -> Dish {
    Dish { ways: words.iter().map(|word| vec![(*word).to_owned()]).collect() }
}

fn x86_64() -> Vec<Dish> {
    let mut levels = vec!["-march=x86-64".to_owned(), "-march=native".to_owned()];
    #[cfg(target_arch = "x86_64")]
    {
        let v3 = std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("fma");
        let v4 = std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512cd")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512vl");
        if std::is_x86_feature_detected!("sse4.2") && std::is_x86_feature_detected!("popcnt") {
            levels.push("-march=x86-64-v2".to_owned());
        }
        if v3 {
            levels.push("-march=x86-64-v3".to_owned());
            levels.push("-march=haswell".to_owned());
        }
        if v3 && v4 {
            levels.push("-march=x86-64-v4".to_owned());
        }
    }
    vec![
        Dish { ways: levels.into_iter().map(|level| vec![level]).collect() },
        one(&["-mtune=generic", "-mtune=atom", "-mtune=skylake", "-mtune=znver2", "-mtune=k8"]),
        one(&["-mprefer-vector-width=128", "-mprefer-vector-width=256", "-mprefer-vector-width=512"]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_have_their_own_options() {
        let words = |triple, pointer| -> Vec<String> {
            dishes(triple, pointer).into_iter().flat_map(|dish| dish.ways.concat()).collect()
        };
        assert!(words("aarch64-linux-gnu", 8).iter().any(|word| word.ends_with("+sve")));
        assert!(words("x86_64-pc-linux-gnu", 8).contains(&"-march=native".to_owned()));
        // Programs of x32 and `-m32` have no processor drawn.
        assert!(words("x86_64-pc-linux-gnu", 4).is_empty());
        assert!(words("hexagon-unknown-linux", 4).is_empty());
    }
}
