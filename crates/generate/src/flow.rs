//! The flow of a program under construction: what each statement and expression does to pointers, unions and effects.
//!
//! Built beside the syntax tree and much smaller: everything that no analysis asks for is left out. The transfer
//! functions (thesis tables 4.1 and 4.3) are defined on it, in [`crate::analysis::transfer`].

use crate::analysis::sets::SetId;
use crate::model::{Loc, VarId};

/// Names a [`Node`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(pub u32);

/// Names a [`Place`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct PlaceId(pub u32);

/// Names a [`Val`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct ValId(pub u32);

/// Names a block.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct BlockId(pub u32);

/// Names a function of the generator.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnIx(pub u32);

/// Names a jump target.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct LabelId(pub u32);

/// An lvalue.
#[derive(Copy, Clone, Debug)]
pub enum Place {
    /// A location of a variable.
    At(Loc),
    /// What a pointer points to, moved by an offset within the location tree (`p->f`).
    Deref(ValId, u32),
}

/// What the analyses need of a value that is a pointer or holds one.
#[derive(Copy, Clone, Debug)]
pub enum Val {
    /// Nothing: a number.
    Number,
    /// A null pointer.
    Null,
    /// The address of an object.
    Address(PlaceId),
    /// What an object holds: a pointer, or a record with its pointers and unions.
    Load(PlaceId),
    /// One of two.
    Either(ValId, ValId),
    /// What a call returned, the call having been evaluated before.
    Result(NodeId),
}

/// A run of child nodes in [`Flow::kids`].
#[derive(Copy, Clone, Debug)]
pub struct Kids {
    start: u32,
    len: u32,
}

/// What happens.
#[derive(Copy, Clone, Debug)]
pub enum Node {
    /// Nothing of interest.
    Nop,
    /// One after the other, with sequence points between them.
    Seq(Kids),
    /// In no order.
    Unseq(Kids),
    /// A read of an object.
    Load(PlaceId),
    /// Evaluates the children unsequenced, then stores a value.
    Store {
        /// The operands.
        kids: Kids,
        /// Where to.
        place: PlaceId,
        /// What.
        val: ValId,
    },
    /// `c ? a : b`, `c && a`: within an expression.
    Cond(NodeId, NodeId, NodeId),
    /// A call.
    Call {
        /// Whom.
        callee: FnIx,
        /// The arguments' nodes.
        kids: Kids,
        /// The arguments' values, in [`Flow::vals_of`].
        vals: Kids,
    },
    /// A full expression: a sequence point follows.
    Full(NodeId),
    /// A block.
    Block(BlockId),
    /// `if`: the condition is a full expression.
    If(NodeId, NodeId, NodeId),
    /// A `switch`: a full expression, then sections entered at any of them and falling through into the next
    /// where they do not break; with or without a section for every value.
    Switch {
        /// The controlling expression.
        value: NodeId,
        /// The sections.
        sections: Kids,
        /// Is some section always entered?
        total: bool,
    },
    /// A loop.
    Loop {
        /// Before it.
        init: NodeId,
        /// The condition.
        cond: NodeId,
        /// The body.
        body: NodeId,
        /// After each turn.
        step: NodeId,
        /// Is the condition tested after the body?
        do_while: bool,
        /// A variable nothing in the loop may write.
        locked: Option<VarId>,
    },
    /// Leaves the innermost loop or switch.
    Break,
    /// Goes to the next turn of the innermost loop.
    Continue,
    /// Leaves the function.
    Return(ValId),
    /// Jumps to a label.
    Goto(LabelId),
    /// A statement with a label behind it that jumps within lead to.
    Labelled(LabelId, NodeId),
    /// A region whose start is the target of jumps from within: repeats like a loop.
    Region(LabelId, NodeId),
    /// Something within which nothing may write a variable.
    Locked(VarId, NodeId),
    /// Something with one volatile access in it that its objects do not tell of.
    Volatile(NodeId),
    /// A pointer points into no more than this set: the program asserts it.
    Assert(Loc, SetId),
    /// The lifetime of a variable starts here with the value it has there.
    Birth(VarId),
}

/// A block: the list of its statements can still change.
#[derive(Clone, Debug, Default)]
pub struct BlockFlow {
    /// The statements.
    pub nodes: Vec<NodeId>,
    /// Variables that live as long as the block.
    pub vars: Vec<VarId>,
    /// Was the address of one of them taken?
    pub address_taken: bool,
}

/// All flow of one program.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    nodes: Vec<Node>,
    places: Vec<Place>,
    vals: Vec<Val>,
    kids: Vec<u32>,
    /// By [`BlockId`].
    pub blocks: Vec<BlockFlow>,
}

impl Flow {
    /// The node that does nothing.
    pub const NOP: NodeId = NodeId(0);
    /// The value of no interest.
    pub const NUMBER: ValId = ValId(0);
    /// The null pointer.
    pub const NULL: ValId = ValId(1);

    /// An empty flow.
    pub fn new() -> Flow {
        let mut flow = Flow {
            nodes: Vec::with_capacity(1 << 12),
            places: Vec::with_capacity(1 << 11),
            vals: Vec::with_capacity(1 << 10),
            kids: Vec::with_capacity(1 << 12),
            blocks: Vec::with_capacity(1 << 7),
        };
        flow.nodes.push(Node::Nop);
        flow.vals.extend([Val::Number, Val::Null]);
        flow
    }

    /// Adds a node.
    pub fn node(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Adds a place.
    pub fn place(&mut self, place: Place) -> PlaceId {
        self.places.push(place);
        PlaceId(self.places.len() as u32 - 1)
    }

    /// Adds a value.
    pub fn val(&mut self, val: Val) -> ValId {
        self.vals.push(val);
        ValId(self.vals.len() as u32 - 1)
    }

    /// Adds a block.
    pub fn block(&mut self) -> BlockId {
        self.blocks.push(BlockFlow::default());
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Adds a list of children.
    pub fn kids(&mut self, nodes: &[NodeId]) -> Kids {
        let start = self.kids.len() as u32;
        self.kids.extend(nodes.iter().map(|n| n.0));
        Kids { start, len: nodes.len() as u32 }
    }

    /// Adds a list of values.
    pub fn val_list(&mut self, vals: &[ValId]) -> Kids {
        let start = self.kids.len() as u32;
        self.kids.extend(vals.iter().map(|v| v.0));
        Kids { start, len: vals.len() as u32 }
    }

    /// One after the other; nothing is made of nothing.
    pub fn seq(&mut self, nodes: &[NodeId]) -> NodeId {
        self.compound(nodes, Node::Seq)
    }

    /// In no order; nothing is made of nothing.
    pub fn unseq(&mut self, nodes: &[NodeId]) -> NodeId {
        self.compound(nodes, Node::Unseq)
    }

    fn compound(&mut self, nodes: &[NodeId], make: fn(Kids) -> Node) -> NodeId {
        let mut live = nodes.iter().copied().filter(|n| *n != Flow::NOP);
        match (live.next(), live.next()) {
            (None, _) => Flow::NOP,
            (Some(one), None) => one,
            (Some(_), Some(_)) => {
                let start = self.kids.len() as u32;
                self.kids.extend(nodes.iter().filter(|n| **n != Flow::NOP).map(|n| n.0));
                let len = self.kids.len() as u32 - start;
                self.node(make(Kids { start, len }))
            }
        }
    }

    /// A node.
    pub fn at(&self, node: NodeId) -> Node {
        self.nodes[node.0 as usize]
    }

    /// A place.
    pub fn place_at(&self, place: PlaceId) -> Place {
        self.places[place.0 as usize]
    }

    /// A value.
    pub fn val_at(&self, val: ValId) -> Val {
        self.vals[val.0 as usize]
    }

    /// How many children a list has.
    pub fn count(&self, kids: Kids) -> usize {
        kids.len as usize
    }

    /// The `n`th of a list of nodes.
    pub fn kid(&self, kids: Kids, n: usize) -> NodeId {
        NodeId(self.kids[kids.start as usize + n])
    }

    /// The `n`th of a list of values.
    pub fn val_kid(&self, kids: Kids, n: usize) -> ValId {
        ValId(self.kids[kids.start as usize + n])
    }
}
