//! C23's forms, in functions of numbers alone: `constexpr`, `auto`, `typeof`, enums of a given type, `nullptr`, `true`, empty
//! initialisers, `static_assert` and `alignas` without headers, attributes, checked arithmetic. (`crate::spelling` writes
//! the words and separators that the tree has no place for.)

use super::ExpressionConstruct;
use super::c23_body::Body;
use super::helper::{self, Helper};
use crate::builder::Gen;
use crate::options::Switch;
use csyntax::ast::{Attribute, Param, Quals, StmtKind, Storage};
use csyntax::source::Span;

const NAME: &str = "c23 call";

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: NAME,
    doc: "a call of a function that is written in C23: `constexpr`, `auto`, `typeof`, `enum e : T`, `nullptr`, `= {}`, \
          `static_assert`, `[[fallthrough]]`",
    weight: 6,
    allowed: |gen_| gen_.on(Switch::C23) && helper::possible(gen_),
    build: |gen_, ops| helper::call(gen_, ops, NAME, define),
};

/// `[[nodiscard]] static unsigned long long c23_7(int a, unsigned long long b, int)`
fn define(gen_: &mut Gen) -> Helper {
    let (name, word) = (gen_.fresh("c23_"), helper::word(gen_));
    let mut ints = Vec::new();
    let mut params = Vec::new();
    let mut body = Body::new(gen_);
    for number in 0..body.gen_.choices.range(1, 3) {
        let int = if number == 0 { word } else { body.gen_.random_int() };
        let param = body.gen_.name(&format!("p{number}"));
        params.push(helper::parameter(body.gen_, int, param));
        body.add(param, int, int.range());
        ints.push(int);
    }
    let all = body.statements(word);
    let body = gen_.s(StmtKind::Compound(all));
    if gen_.choices.percent(30) {
        // A parameter without a name, which definitions may have now.
        let int = gen_.random_int();
        let ty = gen_.int_ty(int);
        let (base, ty) = gen_.written(crate::model::Qualified { ty, quals: Quals::NONE });
        params.push(Param {
            storage: Storage::NONE,
            base,
            ty,
            name: None,
            attrs: Vec::new(),
            span: Span::NONE,
        });
        ints.push(int);
    }
    let ret = gen_.int_ty(word);
    let ty = gen_.function_type(ret, params, false);
    let def = gen_.function(Storage::STATIC, ty, name, body);
    if let Some(attribute) = gen_.choices.pick(&[None, Some("warn_unused_result"), Some("noinline"), None]) {
        let name = gen_.name(attribute);
        gen_.ast[def].attrs.push(Attribute { name, args: None });
    }
    gen_.helper_defs.push(def);
    Helper { construct: NAME, name, params: ints, ret: word, cost: 3 * gen_.cost + 40 }
}
