//! Values of record types: objects, calls, compound literals.

use crate::builder::{Ex, Gen};
use crate::flow::{NodeId, Val};
use crate::lvalue::{Use, Want};
use crate::model::{Home, Loc, Qualified, Range, TyDef, TyId, Var};
use crate::options::Switch;
use csyntax::ast::{Designator, ExprKind, InitId, InitItem, InitKind, Quals};

impl Gen<'_> {
    /// A value of a record type.
    pub(crate) fn record_expr(&mut self, ty: TyId, ops: u32) -> Ex {
        match self.choices.weighted(&[20, 60, 14]).unwrap_or(0) {
            1 => {
                if let Some(lv) = self.find(Want::Exactly(ty), Use::Read) {
                    return self.loaded(&lv);
                }
            }
            2 => {
                let fits = !self.cx.pure && self.returns_records(ty);
                if let Some(ex) = fits.then(|| self.call_returning(ty, false, ops)).flatten() {
                    return ex;
                }
            }
            _ => {}
        }
        self.compound_literal(ty, ops)
    }

    /// Do the options let functions return this type?
    pub(crate) fn returns_records(&self, ty: TyId) -> bool {
        let is_union = self.model.record(ty).is_some_and(|r| r.is_union);
        self.on(if is_union { Switch::ReturnUnions } else { Switch::ReturnStructs })
    }

    /// Do the options let this type be passed?
    pub(crate) fn passes_records(&self, ty: TyId) -> bool {
        let is_union = self.model.record(ty).is_some_and(|r| r.is_union);
        self.on(if is_union { Switch::ArgUnions } else { Switch::ArgStructs })
    }

    /// `(struct S){a, .f2 = b}`; pointers in it are null, unions hold their first member.
    pub(crate) fn compound_literal(&mut self, ty: TyId, ops: u32) -> Ex {
        let mut nodes = Vec::new();
        let init = self.literal_init(ty, &mut nodes, ops.min(4));
        let name = self.type_name(ty);
        let id = self.e(ExprKind::CompoundLit(name, init));
        let node = self.flow.unseq(&nodes);
        let place = self.blank(ty);
        let val = self.flow.val(Val::Load(place));
        Ex { id, ty, range: Range::one(0), node, val, bits: false }
    }

    /// The place of an object of a type with its facts as a literal has them; it is in no program text.
    fn blank(&mut self, ty: TyId) -> crate::flow::PlaceId {
        if let Some(&known) = self.blanks.get(&ty) {
            return known;
        }
        let name = self.name("");
        let var = Var {
            name,
            ty: Qualified { ty, quals: Quals::NONE },
            dims: crate::model::Dims::default(),
            home: Home::Static,
            loc: Loc::GARBAGE,
            range: None,
            free: false,
            global: false,
            owner: None,
        };
        let var = self.model.add_var(var, crate::analysis::sets::Sets::NULL);
        let place = self.variable_place(var);
        self.blanks.insert(ty, place);
        place
    }

    fn literal_init(&mut self, ty: TyId, nodes: &mut Vec<NodeId>, ops: u32) -> InitId {
        let TyDef::Record(index) = self.model.def(ty) else {
            return self.initialiser(ty, &[], None);
        };
        let record = &self.model.records[index as usize];
        let is_union = record.is_union;
        let shown = if is_union { 1 } else { record.fields.len() };
        let designated = self.choices.percent(40);
        let mut items = Vec::with_capacity(shown);
        for n in 0..shown {
            let field = self.model.records[index as usize].fields[n];
            let Some(name) = field.name else { continue };
            if designated && !is_union && self.choices.percent(25) {
                continue;
            }
            let scalar = field.dims.is_empty();
            let init = match self.model.def(field.ty.ty) {
                TyDef::Int(_) if scalar && self.choices.percent(50) => {
                    let ex = self.int_expr(ops.min(2));
                    nodes.push(ex.node);
                    self.init_expr(ex.id)
                }
                TyDef::Record(_) if scalar => self.literal_init(field.ty.ty, nodes, 0),
                TyDef::Int(_)
                | TyDef::Record(_)
                | TyDef::Void
                | TyDef::Float(_)
                | TyDef::Pointer(_)
                | TyDef::Wide(_)
                | TyDef::Vector(..)
                | TyDef::Enum(_) => self.field_init(&field),
            };
            let designators = if designated { vec![Designator::Field(name)] } else { Vec::new() };
            items.push(InitItem { designators, init });
        }
        if items.is_empty() {
            let zero = self.number(0);
            let init = self.init_expr(zero);
            // {0} reaches the first scalar, however deep
            items.push(InitItem { designators: Vec::new(), init });
        }
        let span = csyntax::source::Span::NONE;
        self.ast.push_init(csyntax::ast::Init { kind: InitKind::List(items), span })
    }
}
