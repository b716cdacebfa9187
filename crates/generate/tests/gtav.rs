//! The thesis's own examples of generation-time analysis and validation: listings 4.1 to 4.3 and table 4.2, and what
//! sections 4.4.3 to 4.6 state about pointers, calls and unions.

use csyntax::ast::Quals;
use csyntax::intern::Symbol;
use generate::analysis::sets::Sets;
use generate::analysis::transfer::{FnFlow, Invalid, State, Transfer, World};
use generate::flow::{BlockId, Flow, FnIx, LabelId, Node, NodeId, Place, PlaceId, Val, ValId};
use generate::model::{Field, Home, IntTy, Loc, Model, Qualified, TyDef, TyId, Var, VarId};

/// A program built by hand.
struct Bench {
    model: Model,
    flow: Flow,
    transfer: Transfer,
    functions: Vec<FnFlow>,
    int: TyId,
    pointer: TyId,
}

fn plain(ty: TyId) -> Qualified {
    Qualified { ty, quals: Quals::NONE }
}

impl Bench {
    fn new() -> Bench {
        let mut model = Model::default();
        let int = model.intern(TyDef::Int(IntTy::I32));
        let pointer = model.intern(TyDef::Pointer(plain(int)));
        let (flow, transfer) = (Flow::new(), Transfer::default());
        Bench { model, flow, transfer, functions: Vec::new(), int, pointer }
    }

    fn var(&mut self, ty: TyId, home: Home, owner: Option<FnIx>, set: u32) -> VarId {
        let var = Var {
            name: Symbol(0),
            ty: plain(ty),
            dims: generate::model::Dims::default(),
            home,
            loc: Loc::GARBAGE,
            range: None,
            free: true,
            global: owner.is_none(),
            owner,
        };
        self.model.add_var(var, set)
    }

    fn global(&mut self, ty: TyId, set: u32) -> VarId {
        self.var(ty, Home::Static, None, set)
    }

    fn loc(&self, var: VarId) -> Loc {
        self.model.var(var).loc
    }

    fn at(&mut self, var: VarId) -> PlaceId {
        let loc = self.loc(var);
        self.flow.place(Place::At(loc))
    }

    fn load(&mut self, var: VarId) -> ValId {
        let place = self.at(var);
        self.flow.val(Val::Load(place))
    }

    fn address(&mut self, var: VarId) -> ValId {
        let place = self.at(var);
        self.flow.val(Val::Address(place))
    }

    /// `var = val;`
    fn assign(&mut self, var: VarId, val: ValId) -> NodeId {
        let place = self.at(var);
        let kids = self.flow.kids(&[]);
        let store = self.flow.node(Node::Store { kids, place, val });
        self.flow.node(Node::Full(store))
    }

    /// `*var = 0;`
    fn store_through(&mut self, var: VarId) -> NodeId {
        let val = self.load(var);
        let place = self.flow.place(Place::Deref(val, 0));
        let kids = self.flow.kids(&[]);
        let store = self.flow.node(Node::Store { kids, place, val: Flow::NUMBER });
        self.flow.node(Node::Full(store))
    }

    fn block(&mut self, nodes: &[NodeId]) -> (BlockId, NodeId) {
        let block = self.flow.block();
        self.flow.blocks[block.0 as usize].nodes = nodes.to_vec();
        (block, self.flow.node(Node::Block(block)))
    }

    fn run(&mut self, node: NodeId, state: &mut State) -> Result<(), Invalid> {
        let world = World { model: &self.model, flow: &self.flow, functions: &self.functions };
        self.transfer.run(world, node, state)
    }

    fn points_to(&self, var: VarId, state: &State) -> Vec<Loc> {
        let world = World { model: &self.model, flow: &self.flow, functions: &self.functions };
        self.transfer.points_to(world, self.loc(var), state)
    }
}

#[test]
fn listing_4_1_a_loop_is_validated_to_its_fixed_point_and_backtracked() {
    let mut b = Bench::new();
    let (int, pointer) = (b.int, b.pointer);
    let [i, j, k] = [(); 3].map(|()| b.global(int, 0));
    let mut pointing = |to: VarId| {
        let set = b.transfer.sets.one(b.model.var(to).loc);
        b.global(pointer, set)
    };
    let (p1, p2, p3) = (pointing(i), pointing(j), pointing(k));
    let (from_p2, from_p1) = (b.load(p2), b.load(p1));
    let body = [b.assign(p3, from_p2), b.store_through(p3), b.assign(p2, from_p1), b.assign(p1, Flow::NULL)];
    let (block, node) = b.block(&body);

    // Table 4.2, the first iteration: nothing is wrong yet.
    let mut once = State::start();
    assert_eq!(b.run(node, &mut once), Ok(()));
    assert_eq!(b.points_to(p1, &once), [Loc::NULL]);
    assert_eq!(b.points_to(p2, &once), [b.loc(i)]);
    assert_eq!(b.points_to(p3, &once), [b.loc(j)]);
    // The second: p3 points to i, p2 to nothing.
    assert_eq!(b.run(node, &mut once), Ok(()));
    assert_eq!(b.points_to(p2, &once), [Loc::NULL]);
    assert_eq!(b.points_to(p3, &once), [b.loc(i)]);
    // The third fails at the dereference, statement 1 of the body.
    assert_eq!(b.run(node, &mut once), Err(Invalid::Dereference));
    assert_eq!(b.transfer.position(), Some((block, 1)));

    // As a loop it fails at once; dropped from the offending statement on, it is valid.
    let nop = Flow::NOP;
    let whole = Node::Loop { init: nop, cond: nop, body: node, step: nop, do_while: false, locked: None };
    let whole = b.flow.node(whole);
    assert_eq!(b.run(whole, &mut State::start()), Err(Invalid::Dereference));
    let (at, index) = b.transfer.position().unwrap();
    assert_eq!((at, index), (block, 1));
    b.flow.blocks[at.0 as usize].nodes.truncate(index);
    let mut after = State::start();
    assert_eq!(b.run(whole, &mut after), Ok(()));
    assert_eq!(b.points_to(p3, &after), [b.loc(j), b.loc(k)]);
}

#[test]
fn listing_4_2_overlapping_loops_reach_one_fixed_point() {
    let mut b = Bench::new();
    let (int, pointer) = (b.int, b.pointer);
    let [_, j, k] = [(); 3].map(|()| b.global(int, 0));
    let [p2, p3] = [(); 2].map(|()| b.global(pointer, Sets::GARBAGE));
    let (to_j, to_k, from_p3) = (b.address(j), b.address(k), b.load(p3));
    let label = LabelId(1);
    let back = b.flow.node(Node::Goto(label));
    let jump = b.flow.node(Node::If(Flow::NOP, back, Flow::NOP));
    let last = b.assign(p2, from_p3);
    let (_, body) = b.block(&[jump, last]);
    let nop = Flow::NOP;
    let inner = Node::Loop { init: nop, cond: nop, body, step: nop, do_while: false, locked: None };
    let inner = b.flow.node(inner);
    let nodes = [b.assign(p2, to_j), b.assign(p3, to_k), inner];
    let (_, region) = b.block(&nodes);
    let whole = b.flow.node(Node::Region(label, region));
    let mut state = State::start();
    assert_eq!(b.run(whole, &mut state), Ok(()));
    assert_eq!(b.points_to(p2, &state), [b.loc(j), b.loc(k)]);
    assert_eq!(b.points_to(p3, &state), [b.loc(k)]);
}

#[test]
fn listing_4_3_an_index_read_beside_its_own_increment_is_rejected() {
    let mut b = Bench::new();
    let int = b.int;
    let (a, x) = (b.global(int, 0), b.global(int, 0));
    let (at_a, at_x) = (b.at(a), b.at(x));
    let index = b.flow.node(Node::Load(at_x));
    let kids = b.flow.kids(&[]);
    let increment = b.flow.node(Node::Store { kids, place: at_x, val: Flow::NUMBER });
    let kids = b.flow.kids(&[index, increment]);
    let assign = b.flow.node(Node::Store { kids, place: at_a, val: Flow::NUMBER });
    assert_eq!(b.run(assign, &mut State::start()), Err(Invalid::Unsequenced));
    // With a sequence point between them it is valid.
    let sequenced = b.flow.seq(&[index, increment]);
    let kids = b.flow.kids(&[sequenced]);
    let assign = b.flow.node(Node::Store { kids, place: at_a, val: Flow::NUMBER });
    assert_eq!(b.run(assign, &mut State::start()), Ok(()));
}

#[test]
fn section_4_4_pointers_to_dead_locals_are_not_read() {
    let mut b = Bench::new();
    let (int, pointer) = (b.int, b.pointer);
    let p = b.global(pointer, Sets::NULL);
    let (block, node) = b.block(&[]);
    let local = b.var(int, Home::Block(block), Some(FnIx(0)), 0);
    b.flow.blocks[block.0 as usize].vars.push(local);
    b.flow.blocks[block.0 as usize].address_taken = true;
    let to_local = b.address(local);
    let set = b.assign(p, to_local);
    let through = b.store_through(p);
    b.flow.blocks[block.0 as usize].nodes = vec![set, through];
    let mut state = State::start();
    assert_eq!(b.run(node, &mut state), Ok(()));
    assert_eq!(b.points_to(p, &state), [Loc::GARBAGE]);
    let place = b.at(p);
    let read = b.flow.node(Node::Load(place));
    assert_eq!(b.run(read, &mut state.clone()), Err(Invalid::Indeterminate));
    // Writing the dangling pointer is valid, and makes it readable again.
    let reset = b.assign(p, Flow::NULL);
    assert_eq!(b.run(reset, &mut state), Ok(()));
    assert_eq!(b.run(read, &mut state), Ok(()));
    assert_eq!(b.run(through, &mut state), Err(Invalid::Dereference));
}

#[test]
fn section_4_3_5_calls_are_validated_with_the_facts_of_each_call() {
    let mut b = Bench::new();
    let (int, pointer) = (b.int, b.pointer);
    let x = b.global(int, 0);
    let (body, _) = b.block(&[]);
    let param = b.var(pointer, Home::Block(body), Some(FnIx(0)), Sets::GARBAGE);
    let through = b.store_through(param);
    b.flow.blocks[body.0 as usize].nodes = vec![through];
    b.functions.push(FnFlow { params: vec![param], body });
    let mut call = |val: ValId| {
        let (kids, vals) = (b.flow.kids(&[]), b.flow.val_list(&[val]));
        b.flow.node(Node::Call { callee: FnIx(0), kids, vals })
    };
    let bad = call(Flow::NULL);
    let to_x = b.address(x);
    let (kids, vals) = (b.flow.kids(&[]), b.flow.val_list(&[to_x]));
    let good = b.flow.node(Node::Call { callee: FnIx(0), kids, vals });
    let mut state = State::start();
    assert_eq!(b.run(bad, &mut state.clone()), Err(Invalid::Dereference));
    assert_eq!(b.run(good, &mut state), Ok(()));
    // The same facts again: the summary answers.
    let runs = b.transfer.runs;
    assert_eq!(b.run(good, &mut state), Ok(()));
    assert_eq!(b.transfer.runs, runs);
    // Its effect is known at the call: it conflicts with an unsequenced read of x.
    let place = b.at(x);
    let read = b.flow.node(Node::Load(place));
    let both = b.flow.unseq(&[good, read]);
    assert_eq!(b.run(both, &mut state), Err(Invalid::Unsequenced));
}

#[test]
fn section_4_6_only_the_active_member_of_a_union_is_read() {
    let mut b = Bench::new();
    let int = b.int;
    let field = |name: u32| Field {
        name: Some(Symbol(name)),
        ty: plain(int),
        dims: generate::model::Dims::default(),
        bits: None,
        loc: 0,
    };
    let union = b.model.add_record(Symbol(9), true, false, vec![field(1), field(2)]);
    let u = b.global(union, Sets::NULL);
    let member = |b: &mut Bench, n: u32| {
        let loc = Loc(b.loc(u).0 + 1 + n);
        b.flow.place(Place::At(loc))
    };
    let (first, second) = (member(&mut b, 0), member(&mut b, 1));
    let read = [first, second].map(|place| b.flow.node(Node::Load(place)));
    let kids = b.flow.kids(&[]);
    let write = b.flow.node(Node::Store { kids, place: second, val: Flow::NUMBER });
    let mut state = State::start();
    assert_eq!(b.run(read[0], &mut state), Ok(()));
    assert_eq!(b.run(read[1], &mut state.clone()), Err(Invalid::InactiveMember));
    // Where only one path stores to the other member, neither can be read.
    let maybe = b.flow.node(Node::If(Flow::NOP, write, Flow::NOP));
    let mut either = state.clone();
    assert_eq!(b.run(maybe, &mut either), Ok(()));
    for node in read {
        assert_eq!(b.run(node, &mut either.clone()), Err(Invalid::InactiveMember));
    }
    assert_eq!(b.run(write, &mut state), Ok(()));
    assert_eq!(b.run(read[1], &mut state), Ok(()));
}
