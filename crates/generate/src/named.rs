//! Types that have names of their own: `typedef`, vectors, enums.

use crate::builder::{Ex, Gen};
use crate::flow::{Flow, Node};
use crate::lvalue::{Use, Want};
use crate::model::{Lane, Qualified, Range, TyDef, TyId};
use crate::options::Switch;
use csyntax::ast::{AttrArg, Attribute, ExprKind, Item, Quals, Storage, TypeId};
use csyntax::intern::Symbol;

impl Gen<'_> {
    /// `typedef T name;` among the types, with an attribute where one is given.
    pub(crate) fn type_alias(&mut self, name: Symbol, written: (TypeId, TypeId), attr: Option<Attribute>) {
        let decl = self.ast.declaration(Storage::TYPEDEF, written, name);
        self.ast[decl].declarators[0].attrs = attr.into_iter().collect();
        self.tokens += 4;
        self.type_items.push(Item::Decl(decl));
    }

    /// Gives a type a name in so many of 100 cases.
    pub(crate) fn typedef(&mut self, ty: TyId, percent: u32) {
        if !self.on(Switch::Typedefs) || self.typedefs.contains_key(&ty) || !self.choices.percent(percent) {
            return;
        }
        let name = self.fresh("T_");
        let written = self.written(Qualified { ty, quals: Quals::NONE });
        self.type_alias(name, written, None);
        self.typedefs.insert(ty, name);
    }

    /// The name that a type is written with here, if it has one and it is its turn.
    pub(crate) fn typedef_of(&mut self, ty: TyId) -> Option<Symbol> {
        if self.typedefs.is_empty() || matches!(self.model.def(ty), TyDef::Vector(..)) {
            return None;
        }
        let name = *self.typedefs.get(&ty)?;
        (!self.tokens.is_multiple_of(3)).then_some(name)
    }

    /// The name of a vector type, declared at its first use.
    pub(crate) fn vector_name(&mut self, ty: TyId) -> Symbol {
        if let Some(&known) = self.typedefs.get(&ty) {
            return known;
        }
        let TyDef::Vector(lane, count) = self.model.def(ty) else { return self.name("int") };
        let (elem, short, bits) = match lane {
            Lane::Int(int) => (self.int_ty(int), int.short(), int.bits()),
            Lane::Float(float) => {
                let bits = if float.digits() == 24 { 32 } else { 64 };
                (self.model.intern(TyDef::Float(float)), if bits == 32 { "f32" } else { "f64" }, bits)
            }
        };
        let name = self.name(&format!("v{count}{short}"));
        self.typedefs.insert(ty, name);
        let bytes = self.number(bits / 8 * u32::from(count));
        let attr = Attribute { name: self.name("vector_size"), args: Some(vec![AttrArg::Expr(bytes)]) };
        let written = self.written(Qualified { ty: elem, quals: Quals::NONE });
        self.type_alias(name, written, Some(attr));
        name
    }

    /// A type that is neither integer, floating, pointer nor record, where the options have one.
    pub(crate) fn random_special(&mut self) -> Option<TyId> {
        let vectors = self.on(Switch::Gnu) && self.on(Switch::Vectors);
        let wide = self.on(Switch::Gnu) && self.on(Switch::Int128);
        let weights = [
            if self.model.enums.is_empty() { 0 } else { 3 },
            if vectors { 4 } else { 0 },
            if wide { 3 } else { 0 },
        ];
        match self.choices.weighted(&weights)? {
            0 => self.random_enum(),
            1 => Some(self.random_vector()),
            _ => {
                let signed = self.choices.percent(50);
                Some(self.model.intern(TyDef::Wide(signed)))
            }
        }
    }

    /// One of the program's enums.
    pub(crate) fn random_enum(&mut self) -> Option<TyId> {
        let count = self.model.enums.len() as u32;
        let index = (count > 0).then(|| self.choices.below(count))?;
        Some(self.model.intern(TyDef::Enum(index)))
    }

    /// An enumerator of an enum.
    pub(crate) fn enum_constant(&mut self, ty: TyId) -> Ex {
        let TyDef::Enum(index) = self.model.def(ty) else {
            return self.int_const(0, crate::model::IntTy::I32);
        };
        let values = self.model.enums[index as usize].values.clone();
        let (name, value) = self.choices.pick(&values);
        let id = self.e(ExprKind::Ident(name));
        Ex { id, ty, range: Range::one(value.into()), node: Flow::NOP, val: Flow::NUMBER, bits: false }
    }

    /// A value of an enum: an enumerator, an object, or one of two. Its C type may be `int` or the enum's.
    pub(crate) fn enum_expr(&mut self, ty: TyId) -> Ex {
        match self.choices.weighted(&[50, 35, 15]).unwrap_or(0) {
            1 => {
                if let Some(lv) = self.find(Want::Exactly(ty), Use::Read) {
                    return self.loaded(&lv);
                }
            }
            2 => {
                let cond = self.int_expr(1);
                let (yes, no) = (self.enum_constant(ty), self.enum_constant(ty));
                let id = self.e(ExprKind::Cond(cond.id, Some(yes.id), no.id));
                let range = yes.range.union(no.range);
                let node = self.flow.node(Node::Cond(cond.node, Flow::NOP, Flow::NOP));
                return Ex { id, ty, range, node, val: Flow::NUMBER, bits: false };
            }
            _ => {}
        }
        self.enum_constant(ty)
    }
}
