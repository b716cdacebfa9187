//! Initialisers flattened to stores at offsets (6.7.9): designators, GNU ranges, brace elision, overriding.

use super::convert::Purpose;
use super::init_store::Store;
use super::{At, Checker};
use crate::ast::{self, Designator, InitId, InitItem, InitKind};
use crate::source::Span;
use crate::tree::{ExprId, ExprKind, InitEntry, Initializer};
use crate::types::{ArrayLen, BitField, QTy, RecordId, Ty, TyKind};

/// A sub-object to be initialised.
#[derive(Copy, Clone, Debug)]
struct Sub {
    ty: QTy,
    offset: u64,
    bits: Option<BitField>,
}

/// An aggregate that is being filled, and where in it the next value goes.
#[derive(Copy, Clone, Debug)]
struct Frame {
    offset: u64,
    kind: FrameKind,
    /// Member or element index.
    next: u64,
}

#[derive(Copy, Clone, Debug)]
enum FrameKind {
    Record(RecordId),
    /// Element type, its size, and the length if there is one.
    Array(QTy, u64, Option<u64>),
}

/// A GNU range designator: repeat what is stored `count` more times.
struct Repeat {
    count: u64,
    stride: u64,
    /// Frames from this one on lie inside the element that is repeated.
    inside: usize,
}

impl Checker<'_> {
    /// Flattens an initialiser for an object of type `ty`; gives the completed type and the bytes that a flexible
    /// array needs beyond it.
    pub(super) fn initializer(&mut self, ty: QTy, init: InitId, is_static: bool) -> (Initializer, QTy, u64) {
        let size = self.types().layout(ty.ty).map_or(0, |l| l.size);
        let mut store = Store::new(size, is_static);
        let sub = Sub { ty, offset: 0, bits: None };
        let ast = self.ast;
        let span = ast[init].span;
        let (zero_fill, count) = match &ast[init].kind {
            InitKind::Expr(value) => (false, self.whole(&mut store, sub, *value)),
            InitKind::List(items) => {
                let count = self.braced(&mut store, sub, items, span);
                (!self.is_scalar(ty.ty), count)
            }
        };
        if store.overflow {
            self.error(span, "this initialiser is too large");
        }
        let ty = match *self.tykind(ty.ty) {
            TyKind::Array(elem, ArrayLen::Unknown) => {
                store.extra = 0;
                let ty = self.tree.types.intern(TyKind::Array(elem, ArrayLen::Fixed(count)));
                QTy::from(ty)
            }
            _ => ty,
        };
        let extra = store.extra;
        let entries = store.finish();
        if is_static {
            for entry in &entries {
                self.need_static(entry.value);
            }
        }
        (Initializer { zero_fill, entries }, ty, extra)
    }

    /// An initialiser without braces for a whole object; gives the length of arrays.
    fn whole(&mut self, store: &mut Store, sub: Sub, value: ast::ExprId) -> u64 {
        let at = self.at(value);
        let expr = self.expr(value);
        if self.is_array(sub.ty.ty) {
            if let Some(count) = self.string_into(store, sub, expr) {
                return count;
            }
            if let Some(count) = self.copy_literal(store, sub, expr) {
                return count;
            }
            if !self.is_poison(expr) {
                self.error(at.span, "an array needs a list in braces or a string literal");
            }
            return 1;
        }
        if store.is_static && !self.is_scalar(sub.ty.ty) && self.copy_literal(store, sub, expr).is_some() {
            return 0;
        }
        self.store_value(store, sub, expr, at);
        0
    }

    /// A brace-enclosed list for `sub`; gives how many elements an array needs.
    fn braced(&mut self, store: &mut Store, sub: Sub, items: &[InitItem], span: Span) -> u64 {
        self.check_flexible_init(store, sub, items.is_empty(), span);
        store.braces += 1;
        let count = self.deeper(span, |c| c.braced_inner(store, sub, items, span), |_| 0);
        store.braces -= 1;
        count
    }

    /// Only a static object's own flexible array member takes values.
    fn check_flexible_init(&mut self, store: &Store, sub: Sub, empty: bool, span: Span) {
        let flexible = matches!(self.tykind(sub.ty.ty), TyKind::Array(_, ArrayLen::Unknown));
        if !flexible || store.braces == 0 || empty {
            return;
        }
        if store.braces > 1 {
            self.error(span, "a flexible array member of a nested record cannot be initialised");
        } else if !store.is_static {
            self.error(span, "a flexible array member of an automatic object cannot be initialised");
        }
    }

    fn braced_inner(&mut self, store: &mut Store, sub: Sub, items: &[InitItem], span: Span) -> u64 {
        let ast = self.ast;
        let (lo, hi) = self.extent(sub, store);
        self.kill(store, lo, hi);
        if let [InitItem { designators, init }] = items
            && designators.is_empty()
            && self.is_array(sub.ty.ty)
            && let InitKind::Expr(value) = ast[*init].kind
            && matches!(ast[value].kind, ast::ExprKind::Str(_))
        {
            let expr = self.expr(value);
            if let Some(count) = self.string_into(store, sub, expr) {
                return count;
            }
            let mut frames = self.frame(sub).into_iter().collect();
            self.place(store, &mut frames, None, expr, value);
            return 1;
        }
        match self.frame(sub) {
            Some(frame) => self.list(store, frame, items),
            None => {
                self.braced_scalar(store, sub, items, span);
                0
            }
        }
    }

    fn braced_scalar(&mut self, store: &mut Store, sub: Sub, items: &[InitItem], span: Span) {
        let ast = self.ast;
        let Some(first) = items.first() else {
            self.error(span, "empty braces for a scalar");
            return;
        };
        if !first.designators.is_empty() {
            self.error(span, "a designator for a scalar");
        }
        if items.len() > 1 {
            self.warn(span, "more than one value for a scalar");
        }
        match &ast[first.init].kind {
            InitKind::Expr(value) => {
                let at = self.at(*value);
                let expr = self.expr(*value);
                self.store_value(store, sub, expr, at);
            }
            InitKind::List(inner) => {
                self.braced(store, sub, inner, ast[first.init].span);
            }
        }
    }

    /// The bits a sub-object takes; a flexible array takes all that follow.
    fn extent(&self, sub: Sub, store: &Store) -> (u64, u64) {
        let lo = sub.offset.saturating_mul(8);
        match sub.bits {
            Some(bits) => (lo + u64::from(bits.start), lo + u64::from(bits.start) + u64::from(bits.width)),
            None => match self.types().layout(sub.ty.ty) {
                Some(layout) => (lo, lo.saturating_add(layout.size.saturating_mul(8))),
                None => (lo, (store.size + store.extra).saturating_mul(8).max(lo)),
            },
        }
    }

    fn frame(&self, sub: Sub) -> Option<Frame> {
        let kind = match *self.tykind(sub.ty.ty) {
            TyKind::Record(id) => FrameKind::Record(id),
            TyKind::Array(elem, len) => {
                let size = self.types().layout(elem.ty)?.size;
                let len = match len {
                    ArrayLen::Fixed(n) => Some(n),
                    ArrayLen::Unknown | ArrayLen::Variable(_) => None,
                };
                FrameKind::Array(elem, size, len)
            }
            TyKind::Vector(elem, n) => {
                FrameKind::Array(elem.into(), self.types().layout(elem)?.size, Some(n.into()))
            }
            _ => return None,
        };
        Some(Frame { offset: sub.offset, kind, next: 0 })
    }

    fn list(&mut self, store: &mut Store, base: Frame, items: &[InitItem]) -> u64 {
        let ast = self.ast;
        let mut frames = vec![base];
        let mut most = 0;
        let mut excess = false;
        for item in items {
            let mark = store.mark();
            let mut repeats = Vec::new();
            let sub = if item.designators.is_empty() {
                self.advance(store, &mut frames)
            } else {
                frames.truncate(1);
                match self.designate(store, &mut frames, &item.designators, &mut repeats, ast[item.init].span)
                {
                    Some(sub) => Some(sub),
                    None => continue,
                }
            };
            match &ast[item.init].kind {
                InitKind::List(inner) => match sub {
                    Some(sub) => {
                        let count = self.braced(store, sub, inner, ast[item.init].span);
                        self.grow(store, sub, count);
                    }
                    None => self.excess(&mut excess, ast[item.init].span),
                },
                InitKind::Expr(value) => {
                    let expr = self.expr(*value);
                    if !self.place(store, &mut frames, sub, expr, *value) {
                        self.excess(&mut excess, ast[item.init].span);
                    }
                }
            }
            for repeat in repeats.iter().rev() {
                store.repeat(mark, repeat.count, repeat.stride);
                // What follows goes on in the last element of the range.
                for frame in frames.iter_mut().skip(repeat.inside) {
                    frame.offset += repeat.count * repeat.stride;
                }
            }
            if let FrameKind::Array(..) = frames[0].kind {
                most = most.max(frames[0].next);
            }
        }
        most
    }

    fn excess(&mut self, told: &mut bool, span: Span) {
        if !std::mem::replace(told, true) {
            self.warn(span, "more values than the aggregate has members");
        }
    }

    /// Notes the size of a flexible array member that got `count` elements.
    fn grow(&mut self, store: &mut Store, sub: Sub, count: u64) {
        if let TyKind::Array(elem, ArrayLen::Unknown) = *self.tykind(sub.ty.ty) {
            let size = self.types().layout(elem.ty).map_or(1, |l| l.size);
            let end = sub.offset.saturating_add(count.saturating_mul(size));
            store.extra = store.extra.max(end.saturating_sub(store.size));
        }
    }

    /// The sub-object after the last one, leaving aggregates that are full.
    fn advance(&mut self, store: &mut Store, frames: &mut Vec<Frame>) -> Option<Sub> {
        loop {
            let top = frames.last_mut()?;
            let mut frame = *top;
            let sub = self.take(store, &mut frame);
            *frames.last_mut()? = frame;
            if sub.is_some() {
                return sub;
            }
            if frames.len() == 1 {
                return None;
            }
            frames.pop();
        }
    }

    fn take(&mut self, store: &mut Store, frame: &mut Frame) -> Option<Sub> {
        match frame.kind {
            FrameKind::Array(elem, size, len) => {
                if len.is_some_and(|n| frame.next >= n) {
                    return None;
                }
                let offset = frame.offset.checked_add(frame.next.checked_mul(size)?)?;
                frame.next += 1;
                Some(Sub { ty: elem, offset, bits: None })
            }
            FrameKind::Record(id) => loop {
                let index = frame.next as u32;
                let field = self.field(id, index)?;
                frame.next += 1;
                if field.bits.is_some() && field.name.is_none() {
                    continue;
                }
                return Some(self.select(store, frame, id, index));
            },
        }
    }

    /// The sub-object of a member. In a union it ends what other members stored.
    fn select(&mut self, store: &mut Store, frame: &mut Frame, id: RecordId, index: u32) -> Sub {
        let record = &self.types().records[id.0 as usize];
        let (is_union, size) = (record.is_union, record.size);
        let field = record.fields.as_deref().and_then(|f| f.get(index as usize));
        let (ty, offset, bits) = field.map_or((Ty::INT.into(), 0, None), |f| (f.ty, f.offset, f.bits));
        frame.next = u64::from(index) + 1;
        if is_union {
            frame.next = u64::MAX >> 1;
            let before = store.active.insert((frame.offset, id), index);
            if before.is_some_and(|b| b != index) {
                self.kill(store, frame.offset.saturating_mul(8), (frame.offset + size).saturating_mul(8));
            }
        }
        Sub { ty, offset: frame.offset + offset, bits }
    }

    fn designate(
        &mut self,
        store: &mut Store,
        frames: &mut Vec<Frame>,
        designators: &[Designator],
        repeats: &mut Vec<Repeat>,
        span: Span,
    ) -> Option<Sub> {
        let mut sub: Option<Sub> = None;
        for designator in designators {
            if let Some(sub) = sub {
                match self.frame(sub) {
                    Some(frame) => frames.push(frame),
                    None => {
                        self.error(span, "a designator for something that has no members");
                        return None;
                    }
                }
            }
            sub = match *designator {
                Designator::Field(name) => Some(self.designate_field(store, frames, name, span)?),
                Designator::Index(index) => {
                    let index = self.need_constant(index, "an index designator")?.0;
                    Some(self.designate_index(frames, index, index, repeats, span)?)
                }
                Designator::Range(lo, hi) => {
                    let lo = self.need_constant(lo, "an index designator")?.0;
                    let hi = self.need_constant(hi, "an index designator")?.0;
                    Some(self.designate_index(frames, lo, hi, repeats, span)?)
                }
            };
        }
        sub
    }

    fn designate_field(
        &mut self,
        store: &mut Store,
        frames: &mut Vec<Frame>,
        name: crate::intern::Symbol,
        span: Span,
    ) -> Option<Sub> {
        let FrameKind::Record(record) = frames.last()?.kind else {
            self.error(span, "a member designator for an array");
            return None;
        };
        let Some(path) = self.find_member(record, name) else {
            let text = self.name(name).to_string();
            self.error(span, format!("there is no member '{text}' to initialise"));
            return None;
        };
        let mut sub = None;
        for index in path {
            if let Some(sub) = sub {
                frames.push(self.frame(sub)?);
            }
            let mut frame = *frames.last()?;
            let FrameKind::Record(record) = frame.kind else { return None };
            sub = Some(self.select(store, &mut frame, record, index));
            *frames.last_mut()? = frame;
        }
        sub
    }

    fn designate_index(
        &mut self,
        frames: &mut [Frame],
        lo: i128,
        hi: i128,
        repeats: &mut Vec<Repeat>,
        span: Span,
    ) -> Option<Sub> {
        let inside = frames.len();
        let frame = frames.last_mut()?;
        let FrameKind::Array(elem, size, len) = frame.kind else {
            self.error(span, "an index designator for something that is no array");
            return None;
        };
        let limit = len.map_or(i128::from(i64::MAX) / i128::from(size.max(1)), i128::from);
        if lo < 0 || hi < lo || hi >= limit {
            self.error(span, format!("the index {hi} is outside of the array"));
            return None;
        }
        let (lo, hi) = (lo as u64, hi as u64);
        frame.next = hi + 1;
        if hi > lo {
            repeats.push(Repeat { count: hi - lo, stride: size, inside });
        }
        Some(Sub { ty: elem, offset: frame.offset.checked_add(lo.checked_mul(size)?)?, bits: None })
    }

    /// Stores a value in the sub-object it belongs to, going down into aggregates whose braces are left out.
    fn place(
        &mut self,
        store: &mut Store,
        frames: &mut Vec<Frame>,
        sub: Option<Sub>,
        expr: ExprId,
        value: ast::ExprId,
    ) -> bool {
        let at = self.at(value);
        let mut next = sub;
        if next.is_none() && !frames.is_empty() {
            next = self.advance(store, frames);
        }
        while let Some(sub) = next {
            if self.is_array(sub.ty.ty) && (self.string_into(store, sub, expr).is_some()) {
                return true;
            }
            let whole = match self.tykind(sub.ty.ty) {
                TyKind::Record(_) => self.compatible(self.ty(expr), sub.ty.ty) || self.is_poison(expr),
                TyKind::Vector(..) => self.is_vector(self.ty(expr)),
                TyKind::Array(..) => false,
                _ => true,
            };
            if whole {
                if store.is_static
                    && self.is_record(sub.ty.ty)
                    && self.copy_literal(store, sub, expr).is_some()
                {
                    return true;
                }
                self.store_value(store, sub, expr, at);
                return true;
            }
            if self.is_array(sub.ty.ty) && self.copy_literal(store, sub, expr).is_some() {
                return true;
            }
            let Some(frame) = self.frame(sub) else { return true };
            if matches!(frame.kind, FrameKind::Array(_, _, None)) {
                self.error(at.span, "a flexible array member needs its values in braces");
                return true;
            }
            // An aggregate without members takes no value: the value is one too many, as gcc has it.
            let mut frame = frame;
            next = self.take(store, &mut frame);
            frames.push(frame);
        }
        false
    }

    /// A string literal for an array of characters; gives the length with the final zero.
    fn string_into(&mut self, store: &mut Store, sub: Sub, expr: ExprId) -> Option<u64> {
        let TyKind::Array(elem, len) = *self.tykind(sub.ty.ty) else { return None };
        let string = match *self.kind(expr) {
            ExprKind::Str(id) => &self.tree.strings[id.index()],
            _ => return None,
        };
        let units = string.units.len() as u64;
        let TyKind::Array(unit, _) = *self.tykind(string.ty) else { return None };
        let size = |c: &Self, ty: Ty| c.types().int_kind(ty).map(|k| c.types().int_bytes(k));
        if size(self, elem.ty)? != size(self, unit.ty)? || self.is_bool(elem.ty) {
            return None;
        }
        let count = match len {
            ArrayLen::Fixed(n) => n,
            ArrayLen::Unknown | ArrayLen::Variable(_) => units + 1,
        };
        if units > count {
            let at = self.at_of(expr);
            self.warn(at.span, "this string is longer than the array it initialises");
        }
        if len == ArrayLen::Unknown && store.size > 0 && !store.is_static {
            let at = self.at_of(expr);
            self.error(at.span, "a flexible array member of an automatic object cannot be initialised");
        }
        let ty = self.tree.types.intern(TyKind::Array(elem, ArrayLen::Fixed(count)));
        let bytes = count.saturating_mul(size(self, elem.ty)?);
        let entry = InitEntry { offset: sub.offset, bits: None, ty: ty.into(), value: expr };
        let lo = sub.offset.saturating_mul(8);
        store.push(lo, lo.saturating_add(bytes.saturating_mul(8)), entry);
        self.grow(store, sub, count);
        Some(count)
    }

    /// GNU: a compound literal stands for its own initialiser list.
    fn copy_literal(&mut self, store: &mut Store, sub: Sub, expr: ExprId) -> Option<u64> {
        let object = match *self.kind(expr) {
            ExprKind::CompoundLit(object) => object,
            ExprKind::Object(object) if self.tree.objects[object.index()].name.is_none() => object,
            _ => return None,
        };
        let literal = &self.tree.objects[object.index()];
        if !self.compatible(literal.ty.ty, sub.ty.ty) {
            return None;
        }
        let ty = literal.ty.ty;
        let entries = literal.init.as_ref()?.entries.clone();
        for entry in entries {
            let inner = Sub { ty: entry.ty, offset: entry.offset, bits: entry.bits };
            let (lo, hi) = self.extent(inner, store);
            let entry = InitEntry { offset: entry.offset + sub.offset, ..entry };
            let shift = sub.offset.saturating_mul(8);
            store.push(lo.saturating_add(shift), hi.saturating_add(shift), entry);
        }
        match *self.tykind(ty) {
            TyKind::Array(_, ArrayLen::Fixed(n)) => Some(n),
            _ => Some(0),
        }
    }

    fn store_value(&mut self, store: &mut Store, sub: Sub, expr: ExprId, at: At) {
        let value = self.value(expr);
        let value = self.assign_convert(value, sub.ty, Purpose::Init, at);
        let (lo, hi) = self.extent(sub, store);
        let entry = InitEntry { offset: sub.offset, bits: sub.bits, ty: sub.ty, value };
        let hi = hi.max(lo.saturating_add(1));
        self.kill(store, lo, hi);
        store.push(lo, hi, entry);
    }

    /// Drops what was stored in bits `lo..hi`. Of a string that reaches beyond, the other characters stay.
    fn kill(&mut self, store: &mut Store, lo: u64, hi: u64) {
        let cuts = store.cuts(lo, hi);
        store.kill(lo, hi);
        for (first, entry) in cuts {
            self.keep_rest(store, first, entry, lo, hi);
        }
    }

    /// Stores what bits `lo..hi` left of a string.
    fn keep_rest(&mut self, store: &mut Store, first: u64, entry: InitEntry, lo: u64, hi: u64) {
        let at = self.at_of(entry.value);
        let (TyKind::Array(elem, ArrayLen::Fixed(count)), &ExprKind::Str(id)) =
            (self.tykind(entry.ty.ty).clone(), self.kind(entry.value))
        else {
            // A value of a whole record or vector: compilers part on whether its other members stay.
            self.unsupported(at.span, "part of a record is initialised again after all of it was");
            return;
        };
        let units = self.tree.strings[id.index()].units.clone();
        let size = self.types().layout(elem.ty).map_or(1, |l| l.size);
        // Zeroes at the end need no store: what an initialiser leaves out is zero.
        for (index, unit) in (0..count).zip(units) {
            let bit = first + index * size * 8;
            if bit >= hi || bit + size * 8 <= lo {
                let value = self.int_const(unit.into(), elem.ty, at);
                let offset = entry.offset + index * size;
                store.push(bit, bit + size * 8, InitEntry { offset, bits: None, ty: elem, value });
            }
        }
    }

    /// `(T){ ... }`
    pub(super) fn compound_literal(&mut self, ty: ast::TypeId, init: InitId, at: At) -> ExprId {
        let mark = self.pending_vlas.len();
        let ty = self.type_name(ty);
        let vlas = self.pending_vlas.split_off(mark);
        let is_static = self.functions.is_empty();
        let storage = if is_static { crate::tree::Storage::Static } else { crate::tree::Storage::Auto };
        if self.is_variable(ty.ty) || self.is_function(ty.ty) || self.is_void(ty.ty) {
            let text = self.show(ty);
            return self.error_expr(at, format!("a compound literal cannot have type '{text}'"));
        }
        let object = self.new_object(None, ty, storage, at.span);
        self.initialize(object, init, is_static);
        let ty = self.tree.objects[object.index()].ty;
        if !self.is_complete(ty.ty) {
            let text = self.show(ty);
            return self
                .error_expr(at, format!("a compound literal cannot have the incomplete type '{text}'"));
        }
        let kind = if is_static { ExprKind::Object(object) } else { ExprKind::CompoundLit(object) };
        let id = self.push(kind, ty, at);
        self.with_vlas(vlas, id, at)
    }
}
