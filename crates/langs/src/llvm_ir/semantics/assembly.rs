//! Inline assembly in LLVM IR: an event, or an operation known by its text.

use super::{Callee, Effect, Ir, Res, Scalar, State, Value};
use crate::assembly::{Assembly, OperandKind};
use crate::assumption::Assumption;
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{Call, ConstKind, Inst, Operand};
use crate::operation::Operation;

impl Ir<'_> {
    /// The inline assembly that a call runs, if it is one: none inside where it is not modelled.
    pub(crate) fn assembly(&self, call: &Call) -> Option<Option<Assembly>> {
        let Operand::Const(c) = call.callee else { return None };
        let ConstKind::Asm(asm) = &self.m.consts.get(c.0 as usize)?.kind else { return None };
        let (flags, template, constraints) = &**asm;
        Some(Assembly::of_ir(flags, template, constraints))
    }

    pub(super) fn inline_assembly<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (inst, call): (&Inst, &Call),
        assembly: &Assembly,
    ) -> Res<Effect<D>> {
        self.assume(Assumption::AssemblyByText);
        // Outputs in memory have arguments too, inputs tied to outputs as well.
        let takes = assembly.items.iter().filter(|i| !i.output || i.kind == OperandKind::Memory);
        let takes: Vec<&OperandKind> = takes.map(|i| &i.kind).collect();
        if takes.len() != call.args.len() {
            return self.unsupported("inline assembly");
        }
        let mut args = Vec::new();
        for (arg, kind) in call.args.iter().zip(takes) {
            let Value::Scalar(s) = self.settled(d, st, arg.value, arg.ty)? else {
                return self.unsupported("aggregate in inline assembly");
            };
            let bits = if *kind == OperandKind::Immediate { d.sfit(&s.bits, 64) } else { s.bits };
            // What is handed over as poison may be anything.
            args.push(Value::Scalar(Scalar::with_poison(d, bits, s.poison)));
        }
        let label = assembly.label();
        if assembly.is_event() {
            return Ok(Effect::Call { callee: Callee::Direct(label), args });
        }
        if call.ret == crate::llvm_ir::types::Types::VOID {
            return Ok(Effect::Next);
        }
        let bits: Vec<D::Bv> = args.iter().flat_map(|a| a.scalars()).map(|s| s.bits.clone()).collect();
        let mut k = 0;
        let value = self.build(d, call.ret, &mut |d, _, width| {
            let result = d.operation(&Operation::Assembly(label.clone(), k), &bits, width);
            k += 1;
            Scalar::plain(d, result)
        })?;
        self.set_result(st, inst, value);
        Ok(Effect::Next)
    }
}
