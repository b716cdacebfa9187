//! Functions that compilers know without a declaration: name and type, one line each.
//!
//! A plain name is known both by itself (when called) and with `__builtin_` in front. `~` makes the `f` and `l`
//! siblings of a `double` function as well; `=` marks what gcc evaluates at compile time; `!` does not return.

use super::Checker;
use crate::ast::Quals;
use crate::types::{FnTy, QTy, Ty, TyKind};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A known function.
#[derive(Clone, Debug)]
pub(super) struct Known {
    ret: String,
    params: String,
    pub(super) noreturn: bool,
    pub(super) folds: bool,
}

/// The function of that name, if compilers know it.
pub(super) fn lookup(name: &str) -> Option<&'static Known> {
    static TABLE: OnceLock<FxHashMap<String, Known>> = OnceLock::new();
    let table = TABLE.get_or_init(read);
    if let Some(known) = table.get(name) {
        return Some(known);
    }
    table.get(name.strip_prefix("__builtin_")?)
}

fn read() -> FxHashMap<String, Known> {
    let mut table = FxHashMap::default();
    for line in LINES.lines().chain(MATH.lines()) {
        let text = line.trim_start_matches(['~', '=', '!']);
        let flags = &line[..line.len() - text.len()];
        let Some((head, params)) = text.strip_suffix(')').and_then(|t| t.split_once('(')) else { continue };
        let Some((ret, name)) = head.rsplit_once(' ') else { continue };
        let mut add = |suffix: &str, float: &str| {
            let change = |text: &str| match float {
                "" => text.to_string(),
                _ => text.replace("double", float),
            };
            let known = Known {
                ret: change(ret),
                params: change(params),
                noreturn: flags.contains('!'),
                folds: flags.contains('='),
            };
            table.insert(format!("{name}{suffix}"), known);
        };
        add("", "");
        if flags.contains('~') {
            add("f", "float");
            add("l", "ldouble");
            add("f128", "f128");
        }
    }
    table
}

impl Checker<'_> {
    /// The function type of a known function.
    pub(super) fn builtin_ty(&mut self, known: &Known) -> Ty {
        let ret = self.table_ty(&known.ret);
        let mut fn_ty = FnTy { ret, params: Vec::new(), variadic: false, prototype: true };
        for param in known.params.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            match param {
                "void" => {}
                "..." if fn_ty.params.is_empty() => fn_ty.prototype = false,
                "..." => fn_ty.variadic = true,
                _ => {
                    let ty = self.table_ty(param);
                    fn_ty.params.push(ty);
                }
            }
        }
        self.tree.types.intern(TyKind::Function(fn_ty))
    }

    fn table_ty(&mut self, text: &str) -> QTy {
        let (text, quals) = match text.strip_prefix("const ") {
            Some(rest) => (rest, Quals::CONST),
            None => (text, Quals::NONE),
        };
        let name = text.trim_end_matches('*');
        let stars = text.len() - name.len();
        let mut ty = QTy { ty: self.table_base(name), quals };
        for _ in 0..stars {
            ty = self.tree.types.pointer(ty).into();
        }
        ty
    }

    fn table_base(&mut self, name: &str) -> Ty {
        let complex = match name {
            "cfloat" => Ty::FLOAT,
            "cdouble" => Ty::DOUBLE,
            "cldouble" => Ty::LONG_DOUBLE,
            "cf128" => Ty::FLOAT128,
            _ => {
                return match name {
                    "bool" => Ty::BOOL,
                    "char" => Ty::CHAR,
                    "uchar" => Ty::UCHAR,
                    "ushort" => Ty::USHORT,
                    "short" => Ty::SHORT,
                    "int" => Ty::INT,
                    "uint" => Ty::UINT,
                    "long" => Ty::LONG,
                    "ulong" => Ty::ULONG,
                    "llong" => Ty::LLONG,
                    "ullong" => Ty::ULLONG,
                    "u128" if self.types().target.int128 => Ty::UINT128,
                    "u128" => Ty::ULLONG,
                    "size_t" => self.types().size_t(),
                    "ssize_t" => self.types().ptrdiff_t(),
                    "u64" if self.types().target.long_bytes == 8 => Ty::ULONG,
                    "u64" => Ty::ULLONG,
                    "u32" => Ty::UINT,
                    "u16" => Ty::USHORT,
                    "float" => Ty::FLOAT,
                    "double" => Ty::DOUBLE,
                    "ldouble" => Ty::LONG_DOUBLE,
                    "f128" => Ty::FLOAT128,
                    "va_list" => self.tree.types.pointer(Ty::VA_LIST),
                    _ => Ty::VOID,
                };
            }
        };
        self.tree.types.intern(TyKind::Complex(complex))
    }
}

const LINES: &str = "\
!void abort(void)
!void exit(int)
!void _exit(int)
!void _Exit(int)
!void quick_exit(int)
int atexit(...)
=int abs(int)
=long labs(long)
=llong llabs(llong)
=llong imaxabs(llong)
int atoi(const char*)
long atol(const char*)
double atof(const char*)
void* malloc(size_t)
void* calloc(size_t, size_t)
void* realloc(void*, size_t)
void* aligned_alloc(size_t, size_t)
int posix_memalign(void**, size_t, size_t)
void free(void*)
void* memcpy(void*, const void*, size_t)
void* mempcpy(void*, const void*, size_t)
void* memmove(void*, const void*, size_t)
void* memset(void*, int, size_t)
=int memcmp(const void*, const void*, size_t)
void* memchr(const void*, int, size_t)
void bcopy(const void*, void*, size_t)
void bzero(void*, size_t)
int bcmp(const void*, const void*, size_t)
char* index(const char*, int)
char* rindex(const char*, int)
char* strcpy(char*, const char*)
char* stpcpy(char*, const char*)
char* stpncpy(char*, const char*, size_t)
char* strncpy(char*, const char*, size_t)
char* strcat(char*, const char*)
char* strncat(char*, const char*, size_t)
=int strcmp(const char*, const char*)
=int strncmp(const char*, const char*, size_t)
int strcasecmp(const char*, const char*)
int strncasecmp(const char*, const char*, size_t)
=char* strchr(const char*, int)
=char* strrchr(const char*, int)
=char* strstr(const char*, const char*)
=char* strpbrk(const char*, const char*)
=size_t strspn(const char*, const char*)
=size_t strcspn(const char*, const char*)
=size_t strlen(const char*)
size_t strnlen(const char*, size_t)
char* strdup(const char*)
char* strndup(const char*, size_t)
int printf(const char*, ...)
int fprintf(void*, const char*, ...)
int sprintf(char*, const char*, ...)
int snprintf(char*, size_t, const char*, ...)
int vprintf(const char*, va_list)
int vfprintf(void*, const char*, va_list)
int vsprintf(char*, const char*, va_list)
int vsnprintf(char*, size_t, const char*, va_list)
int scanf(const char*, ...)
int fscanf(void*, const char*, ...)
int sscanf(const char*, const char*, ...)
int vscanf(const char*, va_list)
int vfscanf(void*, const char*, va_list)
int vsscanf(const char*, const char*, va_list)
int puts(const char*)
int putchar(int)
int fputs(const char*, void*)
int fputc(int, void*)
int putc(int, void*)
size_t fwrite(const void*, size_t, size_t, void*)
int printf_unlocked(const char*, ...)
int fprintf_unlocked(void*, const char*, ...)
int puts_unlocked(const char*)
int putchar_unlocked(int)
int fputs_unlocked(const char*, void*)
int fputc_unlocked(int, void*)
size_t fwrite_unlocked(const void*, size_t, size_t, void*)
int isalnum(int)
int isalpha(int)
=int isascii(int)
int isblank(int)
int iscntrl(int)
=int isdigit(int)
int isgraph(int)
int islower(int)
int isprint(int)
int ispunct(int)
int isspace(int)
int isupper(int)
int isxdigit(int)
=int toascii(int)
int tolower(int)
int toupper(int)
int iswalpha(uint)
int iswdigit(uint)
int fork(void)
int execl(const char*, const char*, ...)
int execv(const char*, char**)
char* gettext(const char*)
char* dcgettext(const char*, const char*, int)
char* dgettext(const char*, const char*)
ssize_t strfmon(char*, size_t, const char*, ...)
size_t strftime(char*, size_t, const char*, const void*)
=int ffs(int)
=int ffsl(long)
=int ffsll(llong)
=int __builtin_ffs(int)
=int __builtin_clz(uint)
=int __builtin_clzl(ulong)
=int __builtin_clzll(ullong)
=int __builtin_ctz(uint)
=int __builtin_ctzl(ulong)
=int __builtin_ctzll(ullong)
=int __builtin_clrsb(int)
=int __builtin_clrsbl(long)
=int __builtin_clrsbll(llong)
=int __builtin_popcount(uint)
=int __builtin_popcountl(ulong)
=int __builtin_popcountll(ullong)
=int __builtin_parity(uint)
=int __builtin_parityl(ulong)
=int __builtin_parityll(ullong)
=u16 __builtin_bswap16(u16)
=u32 __builtin_bswap32(u32)
=u64 __builtin_bswap64(u64)
=u128 __builtin_bswap128(u128)
=double __builtin_powi(double, int)
=float __builtin_powif(float, int)
=ldouble __builtin_powil(ldouble, int)
bool __builtin_sadd_overflow(int, int, int*)
bool __builtin_saddl_overflow(long, long, long*)
bool __builtin_saddll_overflow(llong, llong, llong*)
bool __builtin_uadd_overflow(uint, uint, uint*)
bool __builtin_uaddl_overflow(ulong, ulong, ulong*)
bool __builtin_uaddll_overflow(ullong, ullong, ullong*)
bool __builtin_ssub_overflow(int, int, int*)
bool __builtin_ssubl_overflow(long, long, long*)
bool __builtin_ssubll_overflow(llong, llong, llong*)
bool __builtin_usub_overflow(uint, uint, uint*)
bool __builtin_usubl_overflow(ulong, ulong, ulong*)
bool __builtin_usubll_overflow(ullong, ullong, ullong*)
bool __builtin_smul_overflow(int, int, int*)
bool __builtin_smull_overflow(long, long, long*)
bool __builtin_smulll_overflow(llong, llong, llong*)
bool __builtin_umul_overflow(uint, uint, uint*)
bool __builtin_umull_overflow(ulong, ulong, ulong*)
bool __builtin_umulll_overflow(ullong, ullong, ullong*)
void* __builtin___memcpy_chk(void*, const void*, size_t, size_t)
void* __builtin___mempcpy_chk(void*, const void*, size_t, size_t)
void* __builtin___memmove_chk(void*, const void*, size_t, size_t)
void* __builtin___memset_chk(void*, int, size_t, size_t)
char* __builtin___strcpy_chk(char*, const char*, size_t)
char* __builtin___stpcpy_chk(char*, const char*, size_t)
char* __builtin___stpncpy_chk(char*, const char*, size_t, size_t)
char* __builtin___strncpy_chk(char*, const char*, size_t, size_t)
char* __builtin___strcat_chk(char*, const char*, size_t)
char* __builtin___strncat_chk(char*, const char*, size_t, size_t)
int __builtin___sprintf_chk(char*, int, size_t, const char*, ...)
int __builtin___snprintf_chk(char*, size_t, int, size_t, const char*, ...)
int __builtin___vsprintf_chk(char*, int, size_t, const char*, va_list)
int __builtin___vsnprintf_chk(char*, size_t, int, size_t, const char*, va_list)
int __builtin___printf_chk(int, const char*, ...)
int __builtin___vprintf_chk(int, const char*, va_list)
int __builtin___fprintf_chk(void*, int, const char*, ...)
int __builtin___vfprintf_chk(void*, int, const char*, va_list)
void __builtin___clear_cache(void*, void*)
void* __builtin_extract_return_addr(void*)
void* __builtin_frob_return_addr(void*)
void __builtin_unwind_init(void)
void* __builtin_dwarf_cfa(void)
void __builtin_eh_return(long, void*)
int __builtin_cpu_init(void)
int __builtin_cpu_is(const char*)
int __builtin_cpu_supports(const char*)
void __builtin_ia32_pause(void)
void __builtin_stack_restore(void*)
void* __builtin_stack_save(void)
void* __builtin_thread_pointer(void)
int __builtin_LINE(void)
=const char* __builtin_FILE(void)
=const char* __builtin_FUNCTION(void)";

const MATH: &str = "\
=double __builtin_inf(void)
=float __builtin_inff(void)
=ldouble __builtin_infl(void)
=float __builtin_inff32(void)
=double __builtin_inff64(void)
=double __builtin_inff32x(void)
=ldouble __builtin_inff64x(void)
=f128 __builtin_inff128(void)
=double __builtin_huge_val(void)
=float __builtin_huge_valf(void)
=ldouble __builtin_huge_vall(void)
=float __builtin_huge_valf32(void)
=double __builtin_huge_valf64(void)
=double __builtin_huge_valf32x(void)
=ldouble __builtin_huge_valf64x(void)
=f128 __builtin_huge_valf128(void)
=~double nan(const char*)
=~double __builtin_nans(const char*)
=f128 __builtin_infq(void)
=f128 __builtin_huge_valq(void)
=f128 __builtin_nanq(const char*)
=f128 __builtin_nansq(const char*)
=f128 __builtin_fabsq(f128)
=f128 __builtin_copysignq(f128, f128)
~=double acos(double)
~=double acosh(double)
~=double asin(double)
~=double asinh(double)
~=double atan(double)
~=double atan2(double, double)
~=double atanh(double)
~=double cbrt(double)
~=double ceil(double)
~=double copysign(double, double)
~=double cos(double)
~=double cosh(double)
~double drem(double, double)
~=double erf(double)
~=double erfc(double)
~=double exp(double)
~=double exp10(double)
~=double exp2(double)
~=double expm1(double)
~=double fabs(double)
~=double fdim(double, double)
~=double floor(double)
~=double fma(double, double, double)
~=double fmax(double, double)
~=double fmin(double, double)
~=double fmod(double, double)
~double frexp(double, int*)
~double gamma(double)
~=double hypot(double, double)
~=int ilogb(double)
~=double j0(double)
~=double j1(double)
~=double jn(int, double)
~=double ldexp(double, int)
~double lgamma(double)
~=llong llrint(double)
~=llong llround(double)
~=double log(double)
~=double log10(double)
~=double log1p(double)
~=double log2(double)
~=double logb(double)
~=long lrint(double)
~=long lround(double)
~=int iceil(double)
~=int ifloor(double)
~=int iround(double)
~=int irint(double)
~double modf(double, double*)
~=double nearbyint(double)
~=double nextafter(double, double)
~=double nexttoward(double, ldouble)
~=double pow(double, double)
~=double pow10(double)
~=double remainder(double, double)
~double remquo(double, double, int*)
~=double rint(double)
~=double round(double)
~=double roundeven(double)
~=double scalb(double, double)
~=double scalbln(double, long)
~=double scalbn(double, int)
~=double significand(double)
~=double sin(double)
~void sincos(double, double*, double*)
~=double sinh(double)
~=double sqrt(double)
~=double tan(double)
~=double tanh(double)
~=double tgamma(double)
~=double trunc(double)
~=double y0(double)
~=double y1(double)
~=double yn(int, double)
~=double cabs(cdouble)
~=cdouble cacos(cdouble)
~=cdouble cacosh(cdouble)
~=double carg(cdouble)
~=cdouble casin(cdouble)
~=cdouble casinh(cdouble)
~=cdouble catan(cdouble)
~=cdouble catanh(cdouble)
~=cdouble ccos(cdouble)
~=cdouble ccosh(cdouble)
~=cdouble cexp(cdouble)
~=cdouble cexpi(double)
~=double cimag(cdouble)
~=cdouble clog(cdouble)
~=cdouble clog10(cdouble)
~=cdouble conj(cdouble)
~=cdouble cpow(cdouble, cdouble)
~=cdouble cproj(cdouble)
~=double creal(cdouble)
~=cdouble csin(cdouble)
~=cdouble csinh(cdouble)
~=cdouble csqrt(cdouble)
~=cdouble ctan(cdouble)
~=cdouble ctanh(cdouble)";
