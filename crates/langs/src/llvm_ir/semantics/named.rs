//! What a module says of the objects it names, for the machine program that it became.

use super::{Checks, Ir, Res, Side, Value, global_address, known_global_size, label_address};
use crate::domain::Domain;
use crate::llvm_ir::types::Type;
use crate::memory::access::AccessCheck;
use crate::memory::objects::{NamedObjects, Variable};

impl NamedObjects for Ir<'_> {
    fn variable(&self, name: &str) -> Option<Variable> {
        let id = self.m.names.get(name)?;
        let g = self.m.globals.iter().find(|g| g.name == id)?;
        Some(Variable {
            size: known_global_size(self.m, id),
            align: g.align,
            constant: g.constant,
            thread_local: g.words.iter().any(|w| self.m.names.text(*w) == "thread_local"),
        })
    }

    fn sized(&self) -> Vec<(&str, u64)> {
        let globals = self.m.globals.iter();
        globals
            .filter_map(|g| Some((self.m.names.text(g.name), known_global_size(self.m, g.name)?)))
            .collect()
    }

    fn address<D: Domain>(&self, d: &mut D, name: &str) -> D::Bv {
        global_address(d, self.m, name)
    }

    fn label<D: Domain>(&self, d: &mut D, function: &str, block: &str) -> Option<D::Bv> {
        label_address(d, self.m, function, block)
    }

    fn constant<D: Domain>(&self, d: &mut D, text: &str) -> Res<D::Bv> {
        const OTHER: &str = "constant pool entry of this form";
        let text = format!("@pool = constant {text}\ndefine void @f() {{\n ret void\n}}\n");
        let Ok(mut module) = crate::llvm_ir::parse(text.as_bytes()) else { return self.unsupported(OTHER) };
        module.layout = self.m.layout.clone();
        let (Some(global), Some(function)) = (module.globals.first(), module.functions.first()) else {
            return self.unsupported(OTHER);
        };
        let Some(init) = global.init else { return self.unsupported(OTHER) };
        let checks = Checks { access: AccessCheck::Off, exact: false };
        let ir = Ir::new(&module, function, Side::Source, checks);
        let value = ir.constant(d, init, global.ty)?;
        match (ir.m.types.resolve(global.ty), &value) {
            (Type::Array { elem, .. }, Value::Aggregate(items)) => {
                let bits: Res<Vec<D::Bv>> = items.iter().map(|item| ir.to_bits(d, *elem, item)).collect();
                let bits = bits?;
                let stride = ir.m.layout.alloc_size(&ir.m.types, *elem).map(|bytes| 8 * bytes);
                match bits.iter().all(|b| stride == Some(u64::from(d.width(b)))) && !bits.is_empty() {
                    true => Ok(crate::bits::join(d, &bits)),
                    false => self.unsupported(OTHER),
                }
            }
            _ => ir.to_bits(d, global.ty, &value),
        }
    }

    fn memory_with_constant<D: Domain>(&self, d: &mut D, mem: &D::Mem, at: &D::Bv, bytes: u64) -> D::Mem {
        self.memory_with_constant(d, mem, at, bytes)
    }

    fn concrete_constants<D: Domain>(&self, d: &mut D, mem: &D::Mem) -> D::Mem {
        self.concrete_constants(d, mem)
    }
}
