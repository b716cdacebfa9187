//! Functions, made when a call needs one (thesis section 4.3.5).

use crate::analysis::purity::{self, Purity};
use crate::analysis::transfer::{FnFlow, State, World};
use crate::builder::{Ex, FnCx, FnInfo, Gen};
use crate::flow::{BlockId, Flow, FnIx, Node, NodeId, Val};
use crate::model::{Home, Model, Qualified, Range, TyDef, TyId, Var, VarId};
use crate::options::{Limit, Switch};
use csyntax::ast::{AttrArg, Attribute, ExprKind, Quals, StmtId, StmtKind, Storage};

impl Gen<'_> {
    /// A call of a function that returns `ty`: one that exists, or a new one.
    pub(crate) fn call_returning(&mut self, ty: TyId, any_int: bool, ops: u32) -> Option<Ex> {
        let frequency = self.frequency();
        let left = self.cx.step_limit.saturating_sub(self.used) / 2;
        let fits = |f: &FnInfo| {
            f.done
                && (f.ret == ty || any_int && self.model.int(f.ret).is_some())
                && f.cost.saturating_add(self.cost).saturating_mul(frequency) < left
        };
        let known: Vec<u32> =
            (0..self.functions.len() as u32).filter(|f| fits(&self.functions[*f as usize])).collect();
        let new = self.can_make_function();
        let weights = [if known.is_empty() { 0 } else { 50 }, if new { 50 } else { 0 }];
        match self.choices.weighted(&weights)? {
            0 => {
                let callee = FnIx(self.choices.pick(&known));
                let params = self.functions[callee.0 as usize].params.clone();
                let wanted: Vec<TyId> = params.iter().map(|p| self.model.var(*p).ty.ty).collect();
                let args = self.arguments(&wanted, ops)?;
                Some(self.call(callee, &args))
            }
            _ => {
                let wanted = self.parameter_types();
                let args = self.arguments(&wanted, ops)?;
                let callee = self.make_function(ty, &wanted, &args);
                Some(self.call(callee, &args))
            }
        }
    }

    fn can_make_function(&self) -> bool {
        (self.functions.len() as u64) < self.opts.limit(Limit::MaxFuncs)
            && self.cx.nesting < 30
            && !self.full()
            && self.steps_left() > 500
    }

    fn parameter_types(&mut self) -> Vec<TyId> {
        let count = self.choices.below(5);
        (0..count)
            .map(|_| {
                if self.choices.percent(25)
                    && let Some(ty) = self.random_pointer()
                {
                    return ty;
                }
                if self.on(crate::options::Switch::Float) && self.choices.percent(5) {
                    return self.random_float();
                }
                if self.choices.percent(6)
                    && let Some(ty) = self.random_special()
                {
                    return ty;
                }
                let records = self.model.records.len() as u32;
                if records > 0 && self.choices.percent(10) {
                    let index = self.choices.below(records);
                    let ty = self.model.intern(TyDef::Record(index));
                    if self.passes_records(ty) && self.model.scalars(ty) < 30 {
                        return ty;
                    }
                }
                let int = self.random_int();
                self.int_ty(int)
            })
            .collect()
    }

    pub(crate) fn arguments(&mut self, wanted: &[TyId], ops: u32) -> Option<Vec<Ex>> {
        let mut left = ops;
        wanted
            .iter()
            .map(|ty| {
                let (here, rest) = self.split(left);
                left = rest;
                self.value_of(*ty, here)
            })
            .collect()
    }

    /// The call itself.
    fn call(&mut self, callee: FnIx, args: &[Ex]) -> Ex {
        let nodes: Vec<NodeId> = args.iter().map(|a| a.node).collect();
        let vals: Vec<_> = args.iter().map(|a| a.val).collect();
        let kids = self.flow.kids(&nodes);
        let vals = self.flow.val_list(&vals);
        let node = self.flow.node(Node::Call { callee, kids, vals });
        let (name, ret, cost) = {
            let f = &self.functions[callee.0 as usize];
            (f.name, f.ret, f.cost)
        };
        self.cost = self.cost.saturating_add(cost).saturating_add(2 * args.len() as u64 + 4);
        let known = self.transfer.known_effects(callee).to_vec();
        self.cx.effects.extend(known);
        let name = self.ident(name);
        let id = self.e(ExprKind::Call(name, args.iter().map(|a| a.id).collect()));
        let val = self.flow.val(Val::Result(node));
        let range = self.model.int(ret).map_or(Range::one(0), |int| int.range());
        Ex { id, ty: ret, range, node, val, bits: false }
    }

    /// A new function, generated with the running facts and these arguments.
    fn make_function(&mut self, ret: TyId, params: &[TyId], args: &[Ex]) -> FnIx {
        let left = self.opts.limit(Limit::Tokens).saturating_sub(self.tokens);
        let limit = self.tokens + left / self.choices.pick(&[3u64, 2, 4, 6]);
        let cx = FnCx {
            fx: FnIx(self.functions.len() as u32),
            ret,
            scopes: Vec::new(),
            params: Vec::new(),
            turns: 1,
            calls: self.frequency(),
            cost: 0,
            counters: Vec::new(),
            loops: 0,
            breakable: 0,
            effects: Vec::new(),
            labels: Vec::new(),
            token_limit: limit.min(self.cx.token_limit),
            step_limit: self.used + self.cx.step_limit.saturating_sub(self.used) / 4,
            pure: false,
            nesting: self.cx.nesting + 1,
        };
        let outer = std::mem::replace(&mut self.cx, cx);
        let (cost, state) = (std::mem::take(&mut self.cost), self.state.clone());
        let fx = self.function_body(ret, params, Some(args));
        self.cx = outer;
        self.cost = cost;
        self.state = state;
        fx
    }

    /// A function that main calls.
    pub(crate) fn top_function(&mut self) -> FnIx {
        let int = self.random_int();
        let ret = self.int_ty(int);
        self.cx.fx = FnIx(self.functions.len() as u32);
        self.cx.ret = ret;
        self.cx.turns = 1;
        self.cx.calls = 1;
        self.cx.cost = 0;
        self.cx.token_limit = self.opts.limit(Limit::Tokens);
        self.cx.step_limit = self.used + self.opts.limit(Limit::MaxSteps).saturating_sub(self.used) / 2;
        self.function_body(ret, &[], None)
    }

    /// Runs a function that main calls over the facts before it: those after it are what the next one starts with.
    pub(crate) fn run_top(&mut self, fx: FnIx, before: State) {
        self.state = before;
        let (kids, vals) = (self.flow.kids(&[]), self.flow.val_list(&[]));
        let call = self.flow.node(Node::Call { callee: fx, kids, vals });
        let call = self.flow.node(Node::Full(call));
        if self.advance(call).is_err() {
            // The body was validated with the very same facts.
            debug_assert!(false, "a committed body is invalid");
        }
    }

    fn function_body(&mut self, ret: TyId, params: &[TyId], args: Option<&[Ex]>) -> FnIx {
        let fx = self.cx.fx;
        let name = self.numbered("func_", fx.0 + 1);
        self.functions.push(FnInfo { name, ret, params: Vec::new(), done: false, cost: 0, def: None });
        self.transfer.enter_function();
        let body = self.open_block(true);
        self.fn_flow.push(FnFlow { params: Vec::new(), body });
        let params: Vec<VarId> = params.iter().map(|ty| self.parameter(*ty, body)).collect();
        self.fn_flow[fx.0 as usize].params.clone_from(&params);
        self.functions[fx.0 as usize].params.clone_from(&params);
        self.cx.params.clone_from(&params);
        if let Some(args) = args {
            for (param, arg) in params.iter().zip(args) {
                let world = crate::analysis::transfer::World {
                    model: &self.model,
                    flow: &self.flow,
                    functions: &self.fn_flow,
                };
                self.transfer.pass(world, *param, arg.val, &mut self.state);
            }
        }
        let most = self.opts.small(Limit::MaxBlockSize);
        let count = if self.cx.nesting == 0 { most * 3 } else { self.choices.range(1, most) };
        self.fill(body, count);
        if self.state.live {
            self.final_return(body);
        }
        self.close_block(body);
        if self.cx.nesting == 0 {
            self.transfer.note_volatile(fx);
        }
        self.transfer.leave_function();
        let stmt = self.compound(body);
        let list = params.iter().map(|p| {
            let var = self.model.var(*p);
            (var.ty, var.name)
        });
        let list: Vec<(Qualified, _)> = list.collect();
        let list = list.into_iter().map(|(ty, name)| self.param(ty, Some(name))).collect();
        let ty = self.function_type(ret, list, false);
        let inline = self.on(crate::options::Switch::InlineFunction)
            && self.choices.percent(self.opts.small(Limit::InlineFunctionProb));
        let storage = if inline { Storage::STATIC.with(Storage::INLINE) } else { Storage::STATIC };
        let def = self.function(storage, ty, name, stmt);
        self.attribute(def);
        self.functions[fx.0 as usize].def = Some(def);
        self.functions[fx.0 as usize].cost = self.cx.cost + 10;
        self.functions[fx.0 as usize].done = true;
        self.stats.functions += 1;
        fx
    }

    /// Attributes that are true of every function here.
    fn attribute(&mut self, def: csyntax::ast::FnId) {
        let on = self.on(crate::options::Switch::Gnu) && self.on(crate::options::Switch::Attributes);
        if on && self.choices.percent(25) {
            let name = self.choices.pick(&["noinline", "cold", "hot", "noclone", "flatten"]);
            let name = self.name(name);
            self.ast[def].attrs.push(csyntax::ast::Attribute { name, args: None });
        }
    }

    fn parameter(&mut self, ty: TyId, body: BlockId) -> VarId {
        let name = self.fresh("p_");
        let ty = Qualified { ty, quals: Quals::NONE };
        let var = Var {
            name,
            ty,
            dims: crate::model::Dims::default(),
            home: Home::Block(body),
            loc: crate::model::Loc::GARBAGE,
            range: None,
            free: true,
            global: false,
            owner: Some(self.cx.fx),
        };
        self.model.add_var(var, crate::analysis::sets::Sets::GARBAGE)
    }

    /// The return at the end; a constant where nothing else is valid.
    fn final_return(&mut self, body: BlockId) {
        for _ in 0..3 {
            self.cx.effects.clear();
            let outer = std::mem::take(&mut self.cost);
            let built = self.return_statement();
            let done = built.is_some_and(|(stmt, node)| {
                let item = crate::builder::Item::One(stmt);
                self.commit(body, crate::builder::Built { item, node, done: false, declares: None })
            });
            self.cost = outer;
            if done {
                return;
            }
        }
        let ex = match self.model.def(self.cx.ret) {
            TyDef::Pointer(_) => Some(self.null(self.cx.ret)),
            TyDef::Int(int) => Some(self.int_const(0, int)),
            TyDef::Record(_) => {
                let choices =
                    std::mem::replace(&mut self.choices, crate::choices::Choices::replay(Vec::new()));
                let ex = self.compound_literal(self.cx.ret, 0);
                self.choices = choices;
                Some(ex)
            }
            TyDef::Float(float) => {
                let ex = self.int_const(0, crate::model::IntTy::I32);
                Some(self.float_from(ex, float))
            }
            TyDef::Enum(_) => Some(self.enum_constant(self.cx.ret)),
            TyDef::Wide(_) => Some(self.wide_constant(self.cx.ret)),
            TyDef::Vector(..) => Some(self.vector_zero(self.cx.ret)),
            TyDef::Void => None,
        };
        let stmt = self.s(StmtKind::Return(ex.map(|e| e.id)));
        let node = self.flow.node(Node::Return(ex.map_or(Flow::NUMBER, |e| e.val)));
        if self.advance(node).is_ok() {
            self.charge(2);
            self.flow.blocks[body.0 as usize].nodes.push(node);
            self.items[body.0 as usize].push(crate::builder::Item::One(stmt));
        }
    }

    /// `return e;`
    pub(crate) fn return_statement(&mut self) -> Option<(StmtId, NodeId)> {
        let ops = self.complexity();
        let ex = match self.model.def(self.cx.ret) {
            TyDef::Void => None,
            TyDef::Int(_)
            | TyDef::Pointer(_)
            | TyDef::Record(_)
            | TyDef::Float(_)
            | TyDef::Enum(_)
            | TyDef::Wide(_)
            | TyDef::Vector(..) => Some(self.value_of(self.cx.ret, ops)?),
        };
        let stmt = self.s(StmtKind::Return(ex.map(|e| e.id)));
        let full = self.flow.node(Node::Full(ex.map_or(Flow::NOP, |e| e.node)));
        let ret = self.flow.node(Node::Return(ex.map_or(Flow::NUMBER, |e| e.val)));
        Some((stmt, self.flow.seq(&[full, ret])))
    }

    /// Declarations of all functions, so that their order is free.
    pub(crate) fn prototypes(&mut self) -> Vec<csyntax::ast::Item> {
        let mut items = Vec::new();
        let purity = self.purities();
        for n in 0..self.functions.len() {
            let FnInfo { name, ret, params, .. } = self.functions[n].clone();
            let list = params.iter().map(|p| self.model.var(*p).ty).collect::<Vec<_>>();
            let list = list.into_iter().map(|ty| self.param(ty, None)).collect();
            let ty = self.function_type(ret, list, false);
            let decl = self.declaration(Storage::STATIC, ty, name, None);
            self.true_attributes(decl, ret, &params, purity.get(n).copied());
            items.push(csyntax::ast::Item::Decl(decl));
        }
        items
    }

    /// `pure`, `const` and `nonnull` of what is known to be so in every call.
    fn true_attributes(
        &mut self,
        decl: csyntax::ast::DeclId,
        ret: TyId,
        params: &[VarId],
        purity: Option<Purity>,
    ) {
        let Some(purity) = purity else { return };
        let word = match purity {
            Purity::Const => Some("const"),
            Purity::Pure => Some("pure"),
            Purity::Impure => None,
        };
        if let Some(word) = word
            && ret != Model::VOID
            && self.choices.percent(70)
        {
            let attr = Attribute { name: self.name(word), args: None };
            self.ast[decl].declarators[0].attrs.push(attr);
        }
        let given = |param: &VarId| {
            self.model.pointee(self.model.var(*param).ty.ty).is_some() && !self.transfer.may_be_null(*param)
        };
        let sure: Vec<u32> = (1u32..).zip(params).filter(|(_, p)| given(p)).map(|(n, _)| n).collect();
        if !sure.is_empty() && self.choices.percent(60) {
            let args = sure.into_iter().map(|n| AttrArg::Expr(self.number(n))).collect();
            let attr = Attribute { name: self.name("nonnull"), args: Some(args) };
            self.ast[decl].declarators[0].attrs.push(attr);
        }
    }

    /// What every function does to the world, where attributes are to say it.
    fn purities(&self) -> Vec<Purity> {
        if !(self.on(Switch::Gnu) && self.on(Switch::PureFunctions)) {
            return Vec::new();
        }
        let world = World { model: &self.model, flow: &self.flow, functions: &self.fn_flow };
        purity::all(world, &|fx| self.impure.contains(&fx) || self.transfer.accesses_volatile(fx))
    }

    /// A pointer type to something that exists.
    pub(crate) fn random_pointer(&mut self) -> Option<TyId> {
        if !self.on(crate::options::Switch::Pointers) {
            return None;
        }
        let var = self.pick_var(|m, v| m.var(v).free && m.depth(m.var(v).ty.ty) < 2)?;
        let to = self.model.var(var).ty;
        if to.ty == Model::VOID {
            return None;
        }
        Some(self.model.intern(TyDef::Pointer(to)))
    }
}
