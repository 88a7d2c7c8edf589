//! Which functions run in a class alone: no page outside of one fetches them. Those whose
//! names say it, and those that nothing else calls; of both, what [`called_later`] finds:
//! the rest runs on any page, to find that there is no class.
//!
//! [`called_later`]: super::called_later

use std::collections::BTreeSet;

use super::module::{WasmModule, without_build};

/// Where such functions are, as their names begin.
const MODULES: [&str; 7] = [
    "bindpose_classroom::",
    "bindpose_page::classroom::",
    "bindpose_paper::class_report::",
    "bindpose::app::browser::class_line::",
    "bindpose::app::shell::class_host::",
    "bindpose::app::shell::class_progress::",
    "bindpose::app::shell::class_report::",
];
/// How those elsewhere are called.
const NAMED: &str = "_in_class";

/// Of the functions `later`, those that run in a class alone.
pub(super) fn of<'b>(whole: &WasmModule<'b>, later: &BTreeSet<&'b str>) -> BTreeSet<&'b str> {
    let functions = &whole.functions;
    let mut callers = vec![Vec::new(); functions.len()];
    for (caller, function) in functions.iter().enumerate() {
        function.calls.iter().for_each(|&called| callers[called].push(caller));
    }
    let may_wait = |at: usize| later.contains(functions[at].name);
    let is_root = |at: usize| may_wait(at) && is_named(functions[at].name);
    let may_follow =
        |at: usize| may_wait(at) && !functions[at].is_in_table && !callers[at].is_empty();
    // All that may, less what others call after all: so what calls one another goes too.
    let mut in_class: Vec<bool> =
        (0..functions.len()).map(|at| is_root(at) || may_follow(at)).collect();
    loop {
        let is_called = |at: &usize| callers[*at].iter().any(|&caller| !in_class[caller]);
        let others: Vec<usize> = (0..functions.len())
            .filter(|&at| in_class[at] && !is_root(at))
            .filter(is_called)
            .collect();
        if others.is_empty() {
            break;
        }
        others.into_iter().for_each(|at| in_class[at] = false);
    }
    (0..functions.len()).filter(|&at| in_class[at]).map(|at| functions[at].name).collect()
}

fn is_named(function: &str) -> bool {
    let name = without_build(function);
    let own = name.trim_start_matches(['<', '&', '(']);
    MODULES.iter().any(|module| own.starts_with(module)) || name.ends_with(NAMED)
}

#[cfg(test)]
mod tests {
    use super::super::module::WasmFunction;
    use super::*;

    #[test]
    fn what_is_of_a_class_is_known_by_where_it_is_or_how_it_is_called() {
        for of_class in [
            "bindpose_page[c5930c85a12de822]::classroom::strip::strip",
            "<bindpose_classroom[0123456789abcdef]::teacher::TeacherClient>::hear",
            "<bindpose::app::shell::Shell>::go_in_class",
        ] {
            assert!(is_named(of_class), "{of_class}");
        }
        for of_any in [
            "bindpose_page::cells::ask::ask_ui",
            "core::ptr::drop_in_place::<bindpose_classroom::record::StudentRecord>",
        ] {
            assert!(!is_named(of_any), "{of_any}");
        }
    }

    #[test]
    fn what_only_a_class_calls_goes_with_it() {
        let function = |name: &'static str, calls: &[usize], is_in_table| WasmFunction {
            name,
            bytes: 1,
            calls: calls.iter().copied().collect(),
            is_in_table,
        };
        let functions = vec![
            function("ui", &[1, 3], false),
            function("Shell::strip_in_class", &[2, 3, 5, 6], false),
            function("qr", &[4], false),
            function("shared", &[], false),
            function("qr's own", &[2], false),
            function("in a table", &[], true),
            function("called first", &[], false),
        ];
        let later = functions.iter().map(|one| one.name).filter(|name| *name != "called first");
        let later: BTreeSet<&str> = later.collect();
        let whole = WasmModule::of_functions(functions);
        let expected = BTreeSet::from(["Shell::strip_in_class", "qr", "qr's own"]);
        assert_eq!(of(&whole, &later), expected);
    }
}
