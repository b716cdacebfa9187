//! Lowering: checked tree to typed bytecode ([`crate::bytecode`]).
//!
//! One pass over each function. Scalars whose address is never needed live in registers; everything else lives in
//! frame memory with a shadow. Checks are chosen here: what lowering can prove costs nothing at run time.

mod access;
mod aggregate;
mod alive;
mod arith;
mod assign;
mod atomic;
mod bit_int;
mod branch;
mod builtin;
mod call;
mod cold;
mod convert;
mod elvis;
mod forward;
mod func;
mod fuse;
mod init;
mod neutral;
mod ops;
mod overlap;
mod part;
mod peephole;
mod place;
mod point;
mod restrict;
mod rotate;
mod seq;
mod stmt;
mod store;
mod tags;
mod unseen;
mod value;
mod vector;

use crate::bytecode::{CallSite, Callee, Constant, Program, Static};
use crate::class::template;
use csyntax::source::Span;
use csyntax::tree::{
    Builtin, ExprId, ExprKind, FnId, Function, LabelId, Linkage, ObjId, StmtKind, Storage, StrId, Unit,
};
use csyntax::types::{ArrayLen, QTy, Ty, TyKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Lowering met something the machine does not know.
#[derive(Clone, Debug)]
pub struct Unsupported {
    /// What.
    pub what: String,
    /// Where.
    pub span: Span,
}

/// The next address that is a multiple of `align`, but not of twice that: where the lowest bits of an address matter,
/// a run with such addresses shows it.
fn barely_aligned(at: u64, align: u64) -> u64 {
    let align = align.max(1);
    let next = at.next_multiple_of(align);
    if next.is_multiple_of(2 * align) { next + align } else { next }
}

/// Lowers a unit; profiling adds observation points. Functions that hold something unsupported stop where control
/// reaches it, so that the rest of the program still runs.
pub fn lower(unit: &Unit, options: &crate::Options) -> Result<Program, Unsupported> {
    Lowered::new(unit, options).map(|lowered| lowered.0.program)
}

/// A lowered unit that can be lowered for the other order of evaluation too.
pub struct Lowered<'u>(Lowerer<'u>);

impl<'u> Lowered<'u> {
    /// Lowers a unit.
    pub fn new(unit: &'u Unit, options: &crate::Options) -> Result<Lowered<'u>, Unsupported> {
        let mut lowerer = Lowerer::new(unit, options);
        lowerer.place_statics(options.layout_shift != 0)?;
        lowerer.functions()?;
        Ok(Lowered(lowerer).verified())
    }

    /// Shows, in builds with debug assertions, that the program keeps the rules that the interpreter relies on.
    fn verified(self) -> Lowered<'u> {
        if cfg!(debug_assertions)
            && let Err(fault) = crate::verify::verify(self.0.unit, &self.0.program)
        {
            panic!("lowering made bytecode that breaks its rules: {fault}");
        }
        self
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.0.program
    }

    /// Lowers the functions of these codes again, for the other order; the others never came to a choice, so that
    /// they do the same in any order.
    pub fn mirror(mut self, options: &crate::Options, codes: &[u32]) -> Result<Lowered<'u>, Unsupported> {
        let reverse = !self.0.reverse;
        let lowerer = &mut self.0;
        let tied = lowerer.label_values
            || lowerer.restrict
            || lowerer.unit.functions.iter().any(|f| f.parent.is_some());
        if tied {
            let other = crate::Options { reverse, ..options.clone() };
            return Lowered::new(lowerer.unit, &other);
        }
        lowerer.reverse = reverse;
        for code in codes {
            if let Some(&id) = lowerer.owners.get(*code as usize) {
                lowerer
                    .program
                    .points
                    .iter_mut()
                    .filter(|p| p.function == Some(id))
                    .for_each(|p| p.stale = true);
                lowerer.lower_function(id);
            }
        }
        lowerer.wanted_functions();
        Ok(self.verified())
    }
}

/// State of lowering a unit.
struct Lowerer<'u> {
    unit: &'u Unit,
    program: Program,
    profile: bool,
    /// Of how many points the values are recorded, out of 65536, and the seed of which.
    rate: (u32, u64),
    /// Of each function, whether its points are recorded.
    observed: Option<Arc<[bool]>>,
    /// See [`crate::Options::cold`].
    cold: Option<Arc<[(u32, u32)]>>,
    /// May calls not come back?
    leaves: bool,
    /// Right to left where C leaves the order open.
    reverse: bool,
    /// Objects lie elsewhere, in another order, and no better aligned than they must be.
    moved: bool,
    templates: FxHashMap<(Ty, u8, u64), u32>,
    constants: FxHashMap<Constant, u32>,
    /// Static index of each static object.
    statics: Vec<Option<u32>>,
    /// Static index of each string.
    strings: Vec<u32>,
    /// What each expression may do, see [`seq::summarise`].
    summary: Vec<u8>,
    /// Memory locals of functions with nested functions: code and local.
    outer: FxHashMap<ObjId, (u32, u16)>,
    /// Constants of address-taken and outer labels.
    labels: FxHashMap<(FnId, LabelId), u32>,
    /// Are labels reached other than by plain gotos?
    label_values: bool,
    /// Named objects of static storage, for profiles.
    globals: Vec<ObjId>,
    /// Are restrict pointers followed?
    restrict: bool,
    /// Do pointers to members keep to their members?
    parts: bool,
    /// Functions that the program defines under a library name.
    reserved: Vec<bool>,
    /// Pointers whose objects' sizes go straight to functions that look after them, as the C library's headers have it.
    limits: FxHashSet<ExprId>,
    /// Functions with bytecode that lowered code refers to, still to be lowered.
    wanted: Vec<FnId>,
    /// Those that were ever wanted, by code.
    seen: Vec<bool>,
    /// The function of each code.
    owners: Vec<FnId>,
}

impl<'u> Lowerer<'u> {
    fn new(unit: &'u Unit, options: &crate::Options) -> Lowerer<'u> {
        let meeting = if options.allow_aliasing { Vec::new() } else { tags::meeting(unit) };
        // A profile reads variables in functions that do not: in another order it may see something else.
        let neutral =
            if options.profile { vec![false; unit.functions.len()] } else { neutral::neutral(unit) };
        Lowerer {
            unit,
            program: Program { meeting, static_most: options.max_memory, ..Program::default() },
            profile: options.profile,
            rate: (options.profile_rate, options.seed),
            observed: options.observed.clone(),
            cold: options.cold.clone().filter(|_| cold::possible(unit)),
            leaves: seq::leaves(unit),
            reverse: options.reverse,
            moved: options.layout_shift != 0,
            templates: FxHashMap::default(),
            constants: FxHashMap::default(),
            statics: vec![None; unit.objects.len()],
            strings: Vec::new(),
            summary: seq::summarise(unit, &neutral),
            outer: FxHashMap::default(),
            labels: FxHashMap::default(),
            globals: Vec::new(),
            restrict: restrict::wanted(unit),
            parts: part::wanted(unit),
            reserved: reserved(unit),
            limits: limits(unit),
            wanted: Vec::new(),
            seen: Vec::new(),
            owners: Vec::new(),
            label_values: unit
                .exprs
                .iter()
                .any(|e| matches!(e.kind, ExprKind::LabelAddr(_) | ExprKind::LabelAddrOuter(..)))
                || unit.stmts.iter().any(|s| matches!(s.kind, StmtKind::GotoOuter(..))),
        }
    }

    /// Size of the object of a declaration: types with flexible members count as declared.
    fn size_of(&self, ty: Ty) -> Option<u64> {
        match self.unit.types.kind(ty) {
            TyKind::Array(elem, ArrayLen::Unknown) => self.unit.types.layout(elem.ty).map(|l| l.size),
            _ => self.unit.types.layout(ty).map(|l| l.size),
        }
    }

    /// Size of an object with the initialiser of a flexible array member counted in.
    fn object_size(&self, id: ObjId) -> Option<u64> {
        let object = &self.unit[id];
        let size = self.size_of(object.ty.ty)?;
        let reach = object
            .init
            .iter()
            .flat_map(|i| &i.entries)
            .map(|e| e.offset + if e.bits.is_some() { 1 } else { self.size_of(e.ty.ty).unwrap_or(0) });
        Some(reach.max().unwrap_or(0).max(size))
    }

    fn template(&mut self, ty: QTy, size: u64) -> u32 {
        let key = (ty.ty, ty.quals.0, size);
        if let Some(&known) = self.templates.get(&key) {
            return known;
        }
        let mut bytes = vec![0u8; size as usize];
        template(&self.unit.types, ty, &mut bytes);
        self.program.templates.push(bytes.into());
        let index = self.program.templates.len() as u32 - 1;
        self.templates.insert(key, index);
        index
    }

    /// The template of a static object. What does not fit is never run, and a template has a byte for each of the object's.
    fn static_template(&mut self, at: u64, ty: QTy, size: u64) -> u32 {
        if at.saturating_add(size) <= self.program.static_most {
            return self.template(ty, size);
        }
        self.program.templates.push(Vec::new().into());
        self.program.templates.len() as u32 - 1
    }

    /// Lowered code refers to a function.
    fn want(&mut self, id: FnId) {
        if let Some(Callee::Code(code)) = self.program.callees.get(id.index())
            && !std::mem::replace(&mut self.seen[*code as usize], true)
        {
            self.wanted.push(self.owners[*code as usize]);
        }
    }

    /// A new call site.
    fn site(&mut self, site: CallSite) -> u32 {
        if let Some(id) = site.callee {
            self.want(id);
        }
        self.program.sites.push(site);
        self.program.sites.len() as u32 - 1
    }

    fn constant(&mut self, constant: Constant) -> u32 {
        if let Constant::Function(id) = constant {
            self.want(FnId(id));
        }
        if let Some(&known) = self.constants.get(&constant) {
            return known;
        }
        self.program.constants.push(constant);
        let index = self.program.constants.len() as u32 - 1;
        self.constants.insert(constant, index);
        index
    }

    /// Lays out the objects of static storage; at other addresses, in the other order too, since programs may compare
    /// the addresses of two.
    fn place_statics(&mut self, backwards: bool) -> Result<(), Unsupported> {
        let mut at = 64u64;
        let mut room = |size: u64, align: u64| {
            at = if backwards { barely_aligned(at, align) } else { at.next_multiple_of(align.max(16)) };
            let start = at;
            at = at.saturating_add(size.max(1)).saturating_add(8);
            start
        };
        let count = self.unit.objects.len();
        for place in 0..count {
            let index = if backwards { count - 1 - place } else { place };
            let id = ObjId(index as u32);
            let object = &self.unit[id];
            if object.storage != Storage::Static {
                continue;
            }
            let name = object.name.map_or("", |n| self.unit.names.name(n));
            let stream = ["stdin", "stdout", "stderr"].iter().position(|s| *s == name);
            if !object.defined {
                let Some(stream) = stream else { continue };
                self.program.streams[stream] = Some(self.program.statics.len() as u32);
            }
            let Some(size) = self.object_size(id) else {
                continue;
            };
            if size > 1 << 36 {
                return Err(Unsupported { what: format!("an object of {size} bytes"), span: object.span });
            }
            let natural = self.unit.types.layout(object.ty.ty).map_or(1, |l| l.align);
            let at = room(size, object.align.max(natural));
            let template = self.static_template(at, object.ty, size);
            self.statics[index] = Some(self.program.statics.len() as u32);
            self.program.statics.push(Static { at, size, template, literal: None, tag: index as u32 + 1 });
        }
        self.alias_objects();
        for index in 0..self.unit.strings.len() {
            let string = &self.unit[StrId(index as u32)];
            let size = self.size_of(string.ty).unwrap_or(0);
            let at = room(size, self.unit.types.layout(string.ty).map_or(1, |l| l.align));
            let ty = QTy { ty: string.ty, quals: csyntax::ast::Quals::CONST };
            let template = self.static_template(at, ty, size);
            self.strings.push(self.program.statics.len() as u32);
            self.program.statics.push(Static { at, size, template, literal: Some(index as u32), tag: 0 });
        }
        self.program.static_bytes = at + 64;
        if self.profile {
            let all = (0..self.unit.objects.len() as u32).map(ObjId);
            let named = |id: &ObjId| self.statics[id.index()].is_some() && self.unit[*id].name.is_some();
            self.globals = all.filter(named).collect();
        }
        Ok(())
    }

    /// Objects declared as another name of a defined one (GNU `alias`).
    fn alias_objects(&mut self) {
        let unit = self.unit;
        for (index, object) in unit.objects.iter().enumerate() {
            let Some(target) = object.alias else { continue };
            let same = |o: &csyntax::tree::Object| o.defined && o.name == Some(target);
            if let Some(found) = unit.objects.iter().position(same) {
                self.statics[index] = self.statics[found];
            }
        }
    }

    fn functions(&mut self) -> Result<(), Unsupported> {
        let unit = self.unit;
        let mut defined = FxHashMap::default();
        for (index, function) in unit.functions.iter().enumerate() {
            let id = FnId(index as u32);
            let callee = if function.body.is_some() {
                self.program.codes.push(Default::default());
                self.owners.push(id);
                defined.entry(function.name).or_insert(self.program.codes.len() as u32 - 1);
                Callee::Code(self.program.codes.len() as u32 - 1)
            } else {
                Callee::Missing
            };
            if function.constructor.is_some() && function.body.is_some() {
                self.program.constructors.push(id);
            }
            if function.destructor.is_some() && function.body.is_some() {
                self.program.destructors.push(id);
            }
            if unit.names.name(function.name) == "main" && function.body.is_some() {
                self.program.main = Some(id);
            }
            self.program.callees.push(callee);
        }
        self.program.constructors.sort_by_key(|id| unit[*id].constructor);
        self.program.destructors.sort_by_key(|id| std::cmp::Reverse(unit[*id].destructor));
        for (index, function) in unit.functions.iter().enumerate() {
            if function.body.is_some() {
                continue;
            }
            let target = function.alias.unwrap_or(function.name);
            if let Some(code) = defined.get(&target) {
                self.program.callees[index] = Callee::Code(*code);
                continue;
            }
            let native = match &function.asm_label {
                Some(label) => crate::libc::find(&String::from_utf8_lossy(label)),
                None => crate::libc::find(unit.names.name(target)),
            };
            if let Some(native) = native {
                self.program.callees[index] = Callee::Native(native);
            }
        }
        self.seen = vec![false; self.program.codes.len()];
        // Profiles tell of every function; labels and frames of enclosing functions must be known beforehand.
        if self.profile || self.label_values || unit.functions.iter().any(|f| f.parent.is_some()) {
            self.every_function();
        } else {
            let program = &self.program;
            let roots: Vec<FnId> = program
                .main
                .iter()
                .chain(&program.constructors)
                .chain(&program.destructors)
                .copied()
                .collect();
            roots.into_iter().for_each(|id| self.want(id));
            self.wanted_functions();
        }
        let init = func::static_init(self);
        self.wanted_functions();
        self.program.codes.push(init);
        self.program.init = self.program.codes.len() as u32 - 1;
        Ok(())
    }

    /// Lowers all functions, enclosing ones before the ones nested in them.
    fn every_function(&mut self) {
        let depth =
            |id: &FnId| std::iter::successors(Some(*id), |f: &FnId| self.unit[*f].parent).take(1000).count();
        let mut order = self.owners.clone();
        order.sort_by_key(depth);
        self.seen.fill(true);
        order.into_iter().for_each(|id| self.lower_function(id));
    }

    /// Lowers what is wanted, and what that wants; functions that nothing refers to stay empty.
    fn wanted_functions(&mut self) {
        while let Some(id) = self.wanted.pop() {
            self.lower_function(id);
        }
    }

    fn lower_function(&mut self, id: FnId) {
        if let Callee::Code(code) = self.program.callees[id.index()] {
            self.program.codes[code as usize] = func::function(self, id, code);
        }
    }
}

/// Library functions that ISO C does not reserve: programs may define their own.
const NOT_ISO: &[&str] = &[
    "_exit",
    "alloca",
    "asprintf",
    "bcmp",
    "bcopy",
    "bzero",
    "dprintf",
    "ffs",
    "ffsl",
    "ffsll",
    "index",
    "isascii",
    "memccpy",
    "memmem",
    "mempcpy",
    "memrchr",
    "posix_memalign",
    "rand_r",
    "reallocarray",
    "rindex",
    "stpcpy",
    "stpncpy",
    "strcasecmp",
    "strdup",
    "strncasecmp",
    "strndup",
    "strnlen",
    "strsep",
    "strtok_r",
    "toascii",
    "vasprintf",
    "vdprintf",
    "write",
];

/// The pointers of calls of `__builtin_object_size` that are arguments of functions as `__builtin___memcpy_chk`.
fn limits(unit: &Unit) -> FxHashSet<ExprId> {
    let pointer = |e: &ExprId| match &unit[*e].kind {
        ExprKind::Builtin(Builtin::ObjectSize, args) => args.first().copied(),
        _ => None,
    };
    let looked_after =
        neutral::direct_calls(unit).filter(|(f, _)| unit.names.name(unit[*f].name).ends_with("_chk"));
    looked_after.flat_map(|(_, args)| args.iter().filter_map(pointer)).collect()
}

/// Does the program itself define a library function that compilers know and may replace (C11 7.1.3p2)?
fn reserved(unit: &Unit) -> Vec<bool> {
    let library = |f: &Function| {
        let name = unit.names.name(f.name);
        f.linkage == Linkage::External && crate::libc::find(name).is_some() && !NOT_ISO.contains(&name)
    };
    let own: rustc_hash::FxHashSet<_> =
        unit.functions.iter().filter(|f| f.body.is_some() && library(f)).map(|f| f.name).collect();
    unit.functions.iter().map(|f| f.linkage == Linkage::External && own.contains(&f.name)).collect()
}
