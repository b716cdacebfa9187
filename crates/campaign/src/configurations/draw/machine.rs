//! Processors of the x86-64 family to compile for, as far as the one that runs the programs has them.

use super::Dish;

/// What can be drawn here.
pub(super) fn dishes() -> Vec<Dish> {
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
    let one = |words: &[&str]| Dish { ways: words.iter().map(|word| vec![(*word).to_owned()]).collect() };
    vec![
        Dish { ways: levels.into_iter().map(|level| vec![level]).collect() },
        one(&["-mtune=generic", "-mtune=atom", "-mtune=skylake", "-mtune=znver2", "-mtune=k8"]),
        one(&["-mprefer-vector-width=128", "-mprefer-vector-width=256", "-mprefer-vector-width=512"]),
    ]
}
