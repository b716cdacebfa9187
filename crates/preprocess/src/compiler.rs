//! What differs from compiler to compiler: predefined macros, header directories, and the answers of
//! `__has_attribute` and its kin.
//!
//! A compiler is asked once, with one run of `cc OPTIONS -E -dD -v -x c -` on [`Compiler::question`]; the answer can
//! be kept as text ([`Compiler::to_text`]) and read again.

use crate::lex::Dialect;
use crate::source::Source;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// A directory of headers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dir {
    /// Its path.
    pub path: Vec<u8>,
    /// Its headers belong to the system.
    pub system: bool,
}

/// An operator that asks the compiler what it knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Operator {
    pub name: String,
    answers: HashMap<String, i64>,
}

impl Operator {
    /// What the compiler said of a name, written with or without underscores around it.
    pub fn answer(&self, name: &str) -> Option<i64> {
        if self.name == "__building_module" {
            return Some(0);
        }
        let plain = name.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or(name);
        self.answers.get(name).or_else(|| self.answers.get(plain)).copied()
    }
}

/// What a compiler predefines and where it looks.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// `#define` lines.
    pub(crate) prelude: Arc<Source>,
    /// Directories searched for `"..."` only, before all others.
    pub(crate) quote: Vec<Dir>,
    /// Directories searched for `<...>`.
    pub(crate) bracket: Vec<Dir>,
    pub(crate) operators: Vec<Operator>,
    version: i64,
    strict: bool,
    clang: bool,
    gnu: bool,
    unsigned_char: bool,
}

/// What is asked, in the order of the question. Names with an underscore at the start are known to all compilers
/// that have the operator; others are asked for as they are.
const OPERATORS: &[(&str, &str)] = &[
    ("__has_attribute", ATTRIBUTES),
    (
        "__has_c_attribute",
        "deprecated fallthrough maybe_unused nodiscard noreturn _Noreturn unsequenced reproducible",
    ),
    ("__has_builtin", BUILTINS),
    ("__has_feature", FEATURES),
    ("__has_extension", FEATURES),
    ("__has_warning", ""),
    (
        "__has_declspec_attribute",
        "align allocate deprecated dllexport dllimport naked noinline noreturn nothrow thread",
    ),
    ("__is_identifier", ""),
    ("__building_module", ""),
    ("__has_embed", ""),
    ("__has_constexpr_builtin", ""),
    ("__is_target_arch", "aarch64 arm arm64 i386 riscv32 riscv64 x86_64"),
    ("__is_target_vendor", "apple pc unknown"),
    ("__is_target_os", "darwin ios linux macos windows"),
    ("__is_target_environment", "gnu musl simulator"),
];

const ATTRIBUTES: &str = "access address_safety alias aligned alloc_align alloc_size always_inline artificial assume \
    assume_aligned availability bounded btf_type_tag capability cdecl cleanup cold common const constructor \
    convergent copy counted_by deprecated designated_init destructor diagnose_as_builtin diagnose_if \
    disable_tail_calls dllexport dllimport enable_if enum_extensibility error ext_vector_type \
    externally_visible fallthrough fastcall fd_arg flag_enum flatten force_align_arg_pointer format \
    format_arg gcc_struct gnu_inline guarded_by hot ifunc indirect_return interrupt kernel leaf lockable \
    long_call lto_visibility malloc may_alias maybe_unused minsize mips16 mode ms_abi ms_struct musttail \
    naked no_address_safety_analysis no_caller_saved_registers no_icf no_instrument_function \
    no_profile_instrument_function no_reorder no_sanitize no_sanitize_address no_sanitize_coverage \
    no_sanitize_memory no_sanitize_thread no_sanitize_undefined no_split_stack no_stack_limit \
    no_stack_protector no_thread_safety_analysis nocf_check noclone nodebug nodiscard noescape noinit \
    noinline noipa nomerge nomips16 nonnull nonnull_if_nonzero nonstring noplt noreturn not_tail_called \
    nothrow nouwtable null_terminated_string_arg objc_boxable objc_bridge objc_designated_initializer \
    objc_root_class optimize optnone overloadable packed pass_object_size patchable_function_entry \
    persistent preferred_type preserve_all preserve_most progmem pure regparm \
    require_constant_initialization retain returns_nonnull returns_twice scalar_storage_order section \
    sentinel signal simd sized_by speculative_load_hardening stack_protect stdcall strict_flex_array \
    swiftcall symver sysv_abi tainted_args target target_clones target_version tls_model transparent_union \
    trivial_abi type_visibility unavailable uninitialized unsequenced unused used vector_pcs vector_size \
    visibility warn_if_not_aligned warn_unused warn_unused_result warning weak weakref zero_call_used_regs";

const BUILTINS: &str = "__atomic_add_fetch __atomic_always_lock_free __atomic_compare_exchange __atomic_compare_exchange_n \
    __atomic_exchange __atomic_exchange_n __atomic_fetch_add __atomic_is_lock_free __atomic_load \
    __atomic_load_n __atomic_store __atomic_store_n __atomic_thread_fence __builtin_COLUMN __builtin_FILE \
    __builtin_FUNCSIG __builtin_FUNCTION __builtin_LINE __builtin___clear_cache __builtin___memcpy_chk \
    __builtin_abort __builtin_abs __builtin_acos __builtin_add_overflow __builtin_add_overflow_p \
    __builtin_addc __builtin_addcl __builtin_addcll __builtin_alloca __builtin_alloca_with_align \
    __builtin_allow_runtime_check __builtin_arm_rbit __builtin_asin __builtin_assoc_barrier __builtin_assume \
    __builtin_assume_aligned __builtin_atan __builtin_atan2 __builtin_bcmp __builtin_bcopy \
    __builtin_bit_cast __builtin_bitreverse16 __builtin_bitreverse32 __builtin_bitreverse64 \
    __builtin_bitreverse8 __builtin_bswap128 __builtin_bswap16 __builtin_bswap32 __builtin_bswap64 \
    __builtin_bzero __builtin_calloc __builtin_ceil __builtin_choose_expr __builtin_classify_type \
    __builtin_clear_padding __builtin_clrsb __builtin_clz __builtin_clzg __builtin_clzl __builtin_clzll \
    __builtin_complex __builtin_constant_p __builtin_convertvector __builtin_copysign __builtin_copysignf \
    __builtin_copysignf128 __builtin_copysignl __builtin_cos __builtin_counted_by_ref __builtin_cpu_init \
    __builtin_cpu_supports __builtin_ctz __builtin_ctzg __builtin_ctzl __builtin_ctzll __builtin_debugtrap \
    __builtin_dump_struct __builtin_dynamic_object_size __builtin_eh_return __builtin_elementwise_abs \
    __builtin_exit __builtin_exp __builtin_expect __builtin_expect_with_probability \
    __builtin_extract_return_addr __builtin_fabs __builtin_fabsf __builtin_fabsf128 __builtin_fabsl \
    __builtin_fclose __builtin_ffs __builtin_ffsl __builtin_ffsll __builtin_floor __builtin_fma \
    __builtin_fmax __builtin_fmin __builtin_fpclassify __builtin_fprintf __builtin_fputs \
    __builtin_frame_address __builtin_free __builtin_fwrite __builtin_has_attribute __builtin_huge_val \
    __builtin_huge_valf __builtin_huge_valf128 __builtin_huge_vall __builtin_ia32_pause __builtin_inf \
    __builtin_inff __builtin_inff128 __builtin_infl __builtin_is_constant_evaluated __builtin_isfinite \
    __builtin_isgreater __builtin_isgreaterequal __builtin_isinf __builtin_isinf_sign __builtin_isinff \
    __builtin_isinfl __builtin_isless __builtin_islessequal __builtin_islessgreater __builtin_isnan \
    __builtin_isnanf __builtin_isnanl __builtin_isnormal __builtin_issignaling __builtin_isunordered \
    __builtin_labs __builtin_llabs __builtin_log __builtin_longjmp __builtin_lround __builtin_malloc \
    __builtin_memccpy __builtin_memchr __builtin_memcmp __builtin_memcpy __builtin_memcpy_inline \
    __builtin_memmove __builtin_mempcpy __builtin_memset __builtin_memset_inline __builtin_mul_overflow \
    __builtin_mul_overflow_p __builtin_nan __builtin_nanf __builtin_nanf128 __builtin_nanl __builtin_nans \
    __builtin_nansf __builtin_nansf128 __builtin_nansl __builtin_nearbyint __builtin_nondeterministic_value \
    __builtin_nontemporal_load __builtin_nontemporal_store __builtin_object_size __builtin_offsetof \
    __builtin_operator_delete __builtin_operator_new __builtin_parity __builtin_parityl __builtin_parityll \
    __builtin_popcount __builtin_popcountg __builtin_popcountl __builtin_popcountll __builtin_pow \
    __builtin_prefetch __builtin_printf __builtin_putchar __builtin_puts __builtin_readcyclecounter \
    __builtin_realloc __builtin_reduce_add __builtin_return_address __builtin_rint __builtin_rotateleft16 \
    __builtin_rotateleft32 __builtin_rotateleft64 __builtin_rotateleft8 __builtin_rotateright32 \
    __builtin_rotateright64 __builtin_round __builtin_sadd_overflow __builtin_saddl_overflow \
    __builtin_saddll_overflow __builtin_setjmp __builtin_shuffle __builtin_shufflevector __builtin_signbit \
    __builtin_signbitf __builtin_signbitl __builtin_sin __builtin_smul_overflow __builtin_smull_overflow \
    __builtin_smulll_overflow __builtin_snprintf __builtin_source_location __builtin_speculation_safe_value \
    __builtin_sprintf __builtin_sqrt __builtin_sqrtf __builtin_sqrtl __builtin_ssub_overflow \
    __builtin_ssubl_overflow __builtin_ssubll_overflow __builtin_stack_address __builtin_stdc_bit_ceil \
    __builtin_stdc_rotate_left __builtin_stpcpy __builtin_strcat __builtin_strchr __builtin_strcmp \
    __builtin_strcpy __builtin_strcspn __builtin_strdup __builtin_strlen __builtin_strncat __builtin_strncmp \
    __builtin_strncpy __builtin_strndup __builtin_strpbrk __builtin_strrchr __builtin_strspn \
    __builtin_strstr __builtin_sub_overflow __builtin_sub_overflow_p __builtin_subc __builtin_subcl \
    __builtin_subcll __builtin_tan __builtin_tgmath __builtin_thread_pointer __builtin_trap __builtin_trunc \
    __builtin_types_compatible_p __builtin_uadd_overflow __builtin_uaddl_overflow __builtin_uaddll_overflow \
    __builtin_umul_overflow __builtin_umull_overflow __builtin_umulll_overflow __builtin_unpredictable \
    __builtin_unreachable __builtin_unwind_init __builtin_usub_overflow __builtin_usubl_overflow \
    __builtin_usubll_overflow __builtin_va_arg __builtin_va_arg_pack __builtin_va_arg_pack_len \
    __builtin_va_copy __builtin_va_end __builtin_va_list __builtin_va_start __builtin_verbose_trap \
    __builtin_vprintf __builtin_vsnprintf __builtin_vsprintf __builtin_wasm_memory_size __builtin_yield \
    __c11_atomic_init __c11_atomic_load __cpuidex __dmb __dsb __is_same __isb __make_integer_seq __sev \
    __sevl __sync_add_and_fetch __sync_fetch_and_add __sync_lock_test_and_set __sync_synchronize \
    __sync_val_compare_and_swap __type_pack_element __wfe __wfi __yield alloca isinf isnan memcpy printf \
    strlen";

const FEATURES: &str = "address_sanitizer arc_cf_code_audited assume_nonnull attribute_analyzer_noreturn attribute_availability \
    attribute_availability_with_message attribute_cf_returns_retained attribute_deprecated_with_message \
    attribute_ext_vector_type attribute_ns_returns_retained attribute_overloadable \
    attribute_unavailable_with_message blocks bounds_attributes bounds_safety c_alignas c_alignof c_atomic \
    c_fixed_enum c_generic_selection_with_controlling_type c_generic_selections c_static_assert \
    c_thread_local coverage_sanitizer cxx_alias_templates cxx_atomic cxx_constexpr cxx_deleted_functions \
    cxx_exceptions cxx_noexcept cxx_nullptr cxx_rtti cxx_rvalue_references cxx_static_assert \
    cxx_strong_enums cxx_thread_local cxx_unrestricted_unions cxx_variadic_templates dataflow_sanitizer \
    define_target_os_macros enumerator_attributes experimental_library gnu_asm hwaddress_sanitizer \
    is_trivially_constructible is_trivially_copyable leak_sanitizer matrix_types memory_sanitizer \
    memtag_stack modules nullability nullability_on_arrays numerical_stability_sanitizer objc_arc \
    objc_arc_weak objc_boxed_expressions objc_fixed_enum objc_generics objc_instancetype objc_kindof \
    pragma_clang_attribute_namespaces ptrauth_calls ptrauth_intrinsics ptrauth_qualifier ptrauth_returns \
    realtime_sanitizer safe_stack shadow_call_stack statement_attributes_with_gnu_syntax swiftasynccc \
    swiftcc thread_sanitizer tls type_sanitizer undefined_behavior_sanitizer \
    undefined_behavior_sanitizer_finegrained_feature_checks xray_instrument";

impl Compiler {
    /// The paths of its directories of headers.
    pub fn directories(&self) -> impl Iterator<Item = &[u8]> {
        self.quote.iter().chain(&self.bracket).map(|dir| dir.path.as_slice())
    }

    /// The text to give to `cc OPTIONS -E -dD -v -x c -`.
    pub fn question() -> String {
        let mut text = String::new();
        for (number, (operator, names)) in OPERATORS.iter().enumerate() {
            let _ = writeln!(text, "#ifdef {operator}\nplumb_has {number}");
            for (index, name) in names.split_ascii_whitespace().enumerate() {
                let _ = writeln!(text, "plumb_answer {number} {index} {operator}({name})");
            }
            text.push_str("#endif\n");
        }
        text
    }

    /// Reads what the compiler wrote: the macros and answers on its standard output, the directories on its
    /// standard error.
    pub fn parse(stdout: &[u8], stderr: &[u8]) -> Result<Compiler, String> {
        let mut text = String::from_utf8_lossy(&directories(stderr)?).into_owned();
        let lines = || stdout.split(|b| *b == b'\n').map(String::from_utf8_lossy);
        let words = |line: &str| line.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>();
        for line in lines() {
            let number = |word: &String| word.parse::<usize>().ok();
            match words(&line).as_slice() {
                [word, operator] if word == "plumb_has" => {
                    let (name, _) = number(operator).and_then(|n| OPERATORS.get(n)).ok_or("odd operator")?;
                    let _ = writeln!(text, "operator {name}");
                }
                [word, operator, index, answer] if word == "plumb_answer" => {
                    let (name, names) =
                        number(operator).and_then(|n| OPERATORS.get(n)).ok_or("odd operator")?;
                    let asked = number(index)
                        .and_then(|n| names.split_ascii_whitespace().nth(n))
                        .ok_or("odd answer")?;
                    let answer = answer.trim_end_matches(['L', 'l']);
                    if answer.parse::<i64>().is_ok() {
                        let _ = writeln!(text, "answer {name} {asked} {answer}");
                    }
                }
                _ => {}
            }
        }
        text.push_str("macros\n");
        for line in lines().filter(|line| line.starts_with("#define ")) {
            // Operators of the compiler, which some list as macros.
            if !line.starts_with("#define __has_") {
                let _ = writeln!(text, "{line}");
            }
        }
        Compiler::from_text(text.as_bytes())
    }

    /// A text from which [`Compiler::from_text`] makes the same compiler.
    pub fn to_text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut dirs = |word: &str, dirs: &[Dir]| {
            for dir in dirs {
                text.extend_from_slice(word.as_bytes());
                text.extend_from_slice(if dir.system { b" system " } else { b" user " });
                text.extend_from_slice(&dir.path);
                text.push(b'\n');
            }
        };
        dirs("quote", &self.quote);
        dirs("bracket", &self.bracket);
        for operator in &self.operators {
            text.extend_from_slice(format!("operator {}\n", operator.name).as_bytes());
            let mut answers: Vec<_> = operator.answers.iter().collect();
            answers.sort();
            for (name, answer) in answers {
                text.extend_from_slice(format!("answer {} {name} {answer}\n", operator.name).as_bytes());
            }
        }
        text.extend_from_slice(b"macros\n");
        text.extend_from_slice(&self.prelude.text[..self.prelude.text.len() - 1]);
        text
    }

    /// Reads the text of [`Compiler::to_text`].
    pub fn from_text(text: &[u8]) -> Result<Compiler, String> {
        let mut compiler = Compiler {
            prelude: Arc::new(Source::new(Vec::new(), false)),
            quote: Vec::new(),
            bracket: Vec::new(),
            operators: Vec::new(),
            version: 0,
            strict: false,
            clang: false,
            gnu: false,
            unsigned_char: false,
        };
        let mut rest = text;
        loop {
            let end = rest.iter().position(|b| *b == b'\n').ok_or("the list of macros is missing")?;
            let line = &rest[..end];
            rest = &rest[end + 1..];
            if line == b"macros" {
                break;
            }
            let mut words = line.splitn(3, |b| *b == b' ');
            let (kind, second, third) = (words.next(), words.next(), words.next());
            let utf8 =
                |word: Option<&[u8]>| word.and_then(|w| String::from_utf8(w.to_vec()).ok()).ok_or("odd line");
            match kind {
                Some(kind @ (b"quote" | b"bracket")) => {
                    let path = third.ok_or("a directory without a path")?.to_vec();
                    let dir = Dir { path, system: second == Some(b"system") };
                    if kind == b"quote" { compiler.quote.push(dir) } else { compiler.bracket.push(dir) }
                }
                Some(b"operator") => {
                    compiler.operators.push(Operator { name: utf8(second)?, answers: HashMap::new() });
                }
                Some(b"answer") => {
                    let third = utf8(third)?;
                    let (name, answer) = third.split_once(' ').ok_or("an answer without a value")?;
                    let answer = answer.parse().map_err(|_| "an answer that is no number")?;
                    let operator = compiler.operators.last_mut().ok_or("an answer without an operator")?;
                    operator.answers.insert(name.to_owned(), answer);
                }
                _ => return Err("a line of an unknown kind".to_owned()),
            }
        }
        if compiler.operators.len() > 200 {
            return Err("too many operators".to_owned());
        }
        for line in rest.split(|b| *b == b'\n') {
            let Some(line) = line.strip_prefix(b"#define ") else { continue };
            match line {
                b"__STRICT_ANSI__ 1" => compiler.strict = true,
                b"__clang__ 1" => compiler.clang = true,
                b"__GNUC_STDC_INLINE__ 1" | b"__GNUC_GNU_INLINE__ 1" => compiler.gnu = true,
                b"__CHAR_UNSIGNED__ 1" => compiler.unsigned_char = true,
                _ => {}
            }
            if let Some(value) = line.strip_prefix(b"__STDC_VERSION__ ") {
                let value = String::from_utf8_lossy(value);
                compiler.version = value.trim_end_matches('L').parse().unwrap_or(0);
            }
        }
        compiler.prelude = Arc::new(Source::new(rest.to_vec(), false));
        Ok(compiler)
    }

    /// gcc 12 for x86-64 Linux, for machines without a compiler: its macros, the few headers that compilers bring, and
    /// the usual directories. gcc 12 has no `_BitInt`; `__BITINT_MAXWIDTH__` is the width of plumb's own. (A compiler that
    /// is asked says what it has: none of it means that programs see none.)
    pub fn without_compiler() -> Compiler {
        let text = include_bytes!("x86_64_linux.txt");
        Compiler::from_text(text).unwrap_or_else(|_| Compiler {
            prelude: Arc::new(Source::new(Vec::new(), false)),
            quote: Vec::new(),
            bracket: Vec::new(),
            operators: Vec::new(),
            version: 201_710,
            strict: false,
            clang: false,
            gnu: false,
            unsigned_char: false,
        })
    }

    /// Is it gcc or clang? Others have extensions of their own.
    pub fn is_gnu(&self) -> bool {
        self.gnu && !self.operators.is_empty()
    }

    /// Is it clang?
    pub(crate) fn is_clang(&self) -> bool {
        self.clang
    }

    /// Is the standard followed to the letter (`-std=c11` rather than `-std=gnu11`)?
    pub(crate) fn strict(&self) -> bool {
        self.strict
    }

    /// Does it look in a directory for `<...>` in any case? Naming that with `-I` does not move it forward.
    pub(crate) fn searches(&self, dir: &str) -> bool {
        let plain = |path: &[u8]| path.len() - path.iter().rev().take_while(|b| **b == b'/').count();
        let dir = &dir.as_bytes()[..plain(dir.as_bytes())];
        !dir.is_empty()
            && self.bracket.iter().any(|known| known.system && known.path[..plain(&known.path)] == *dir)
    }

    /// Are trigraphs replaced?
    pub(crate) fn trigraphs(&self) -> bool {
        self.strict && self.version <= 201_710
    }

    /// Does `char` have no negative values?
    pub(crate) fn unsigned_char(&self) -> bool {
        self.unsigned_char
    }

    /// A text, ready for this compiler's language standard.
    pub fn source(&self, text: Vec<u8>) -> Arc<Source> {
        Arc::new(Source::new(text, self.trigraphs()))
    }

    pub(crate) fn dialect(&self) -> Dialect {
        let c99 = self.version >= 199_901;
        Dialect {
            line_comments: c99 || !self.strict,
            raw_strings: c99 && !self.strict && !self.clang,
            unicode_strings: self.version >= 201_112 || c99 && !self.strict,
            digit_separators: self.version > 201_710,
        }
    }
}

/// The directories that `-v` lists.
fn directories(stderr: &[u8]) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    let mut kind: Option<&str> = None;
    let mut seen = false;
    for line in stderr.split(|b| *b == b'\n') {
        if line.starts_with(b"#include \"...\"") {
            kind = Some("quote user");
        } else if line.starts_with(b"#include <...>") {
            kind = Some("bracket system");
            seen = true;
        } else if line.starts_with(b"End of search list") {
            kind = None;
        } else if let Some(kind) = kind
            && let Some(path) = line.strip_prefix(b" ")
        {
            let path = path.strip_suffix(b" (framework directory)").unwrap_or(path);
            text.extend_from_slice(kind.as_bytes());
            text.push(b' ');
            text.extend_from_slice(path);
            text.push(b'\n');
        }
    }
    if seen { Ok(text) } else { Err("the compiler does not list its header directories".to_owned()) }
}
