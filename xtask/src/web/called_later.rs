//! Which functions a page does not call before it is live: a program that counts its
//! calls finds it out in a browser, each time that another program is divided. A list
//! kept from one build would not hold for the next: where compilers inline differs, so a
//! function that no page called in one may be called first in the other.
//!
//! And which of these run in a class alone: no page outside of one fetches them. Those whose
//! names say it, and those that nothing else calls; the rest runs on any page, to find that
//! there is no class.

use std::collections::BTreeSet;

use super::module::{WasmModule, without_build};

/// wasm-split's head of what was counted.
const COUNTS_HEAD: usize = 8;

/// Where functions are that run in a class alone, as their names begin.
const MODULES: [&str; 6] = [
    "bindpose_classroom::",
    "bindpose_page::classroom::",
    "bindpose_paper::class_report::",
    "bindpose::app::browser::class_line::",
    "bindpose::app::shell::class_host::",
    "bindpose::app::shell::class_report::",
];
/// How those elsewhere are called.
const NAMED: &str = "_in_class";

/// What a page has called.
pub(super) struct PageCounts {
    /// Is it one of those that are opened first?
    pub is_first: bool,
    /// As the program has written it.
    pub bytes: Vec<u8>,
}

/// Names of functions that not all pages need before they are live.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CalledLater<'b> {
    /// Of those that are not opened first some call these.
    pub by_pages: BTreeSet<&'b str>,
    /// No page calls these.
    pub by_none: BTreeSet<&'b str>,
}

/// Of the functions of `whole`, by what pages have called.
///
/// Errors: they were counted in another program.
pub(super) fn called_later<'b>(
    whole: &WasmModule<'b>,
    pages: &[PageCounts],
) -> Result<CalledLater<'b>, String> {
    let functions = &whole.functions;
    let (mut first, mut any) = (vec![false; functions.len()], vec![false; functions.len()]);
    for page in pages {
        // Four bytes a function: when it was called first, from 1 on.
        let (moments, _) = page.bytes.get(COUNTS_HEAD..).unwrap_or_default().as_chunks::<4>();
        if moments.len() != functions.len() {
            return Err("the counts are not of this program".to_owned());
        }
        for (at, moment) in moments.iter().enumerate() {
            let is_called = *moment != [0; 4] || hangs_on_hashes(functions[at].name);
            any[at] |= is_called;
            first[at] |= is_called && page.is_first;
        }
    }
    let named = |is_wanted: &dyn Fn(usize) -> bool| {
        (0..functions.len()).filter(|&at| is_wanted(at)).map(|at| functions[at].name).collect()
    };
    let later = CalledLater {
        by_pages: named(&|at| any[at] && !first[at]),
        by_none: named(&|at| !any[at]),
    };
    println!(
        "· of {} functions, some pages call {} first and none calls {}",
        functions.len(),
        later.by_pages.len(),
        later.by_none.len()
    );
    Ok(later)
}

/// Does a table compare two keys by it? That it does so where hashes are alike in part, and
/// these are others with each change of the program.
fn hangs_on_hashes(function: &str) -> bool {
    function.starts_with("<hashbrown") && function.contains("::equivalent_key<")
}

/// Of the functions `later`, those that run in a class alone.
pub(super) fn called_in_class<'b>(
    whole: &WasmModule<'b>,
    later: &BTreeSet<&'b str>,
) -> BTreeSet<&'b str> {
    let functions = &whole.functions;
    let mut callers = vec![Vec::new(); functions.len()];
    for (caller, function) in functions.iter().enumerate() {
        function.calls.iter().for_each(|&called| callers[called].push(caller));
    }
    let may_wait = |at: usize| later.contains(functions[at].name);
    let is_root = |at: usize| may_wait(at) && is_named_of_class(functions[at].name);
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

fn is_named_of_class(function: &str) -> bool {
    let name = without_build(function);
    let own = name.trim_start_matches(['<', '&', '(']);
    MODULES.iter().any(|module| own.starts_with(module)) || name.ends_with(NAMED)
}

#[cfg(test)]
mod tests {
    use super::super::module::WasmFunction;
    use super::*;

    #[test]
    fn what_no_page_calls_is_told_from_what_those_call_that_are_not_opened_first() {
        let function =
            |name| WasmFunction { name, bytes: 1, calls: BTreeSet::new(), is_in_table: false };
        let names = [
            "all",
            "some",
            "none",
            "<hashbrown[1]::T>::find::<hashbrown[1]::map::equivalent_key<K>>",
        ];
        let whole = WasmModule::of_functions(names.map(function).into());
        let counts = |is_first, moments: [u8; 4]| {
            let moments = moments.into_iter().flat_map(|moment| [moment, 0, 0, 0]);
            PageCounts { is_first, bytes: [0; COUNTS_HEAD].into_iter().chain(moments).collect() }
        };
        let later =
            called_later(&whole, &[counts(false, [2, 1, 0, 0]), counts(true, [9, 0, 0, 0])]);
        let by = |names: &[&'static str]| names.iter().copied().collect();
        let expected = CalledLater { by_pages: by(&["some"]), by_none: by(&["none"]) };
        assert_eq!(later, Ok(expected));
        let cut_off = PageCounts { is_first: true, bytes: vec![0; COUNTS_HEAD + 8] };
        assert!(called_later(&whole, &[cut_off]).is_err());
    }

    #[test]
    fn what_is_of_a_class_is_known_by_where_it_is_or_how_it_is_called() {
        for of_class in [
            "bindpose_page[c5930c85a12de822]::classroom::strip::strip",
            "<bindpose_classroom[0123456789abcdef]::teacher::TeacherClient>::hear",
            "<bindpose::app::shell::Shell>::go_in_class",
        ] {
            assert!(is_named_of_class(of_class), "{of_class}");
        }
        for of_any in [
            "bindpose_page::cells::ask::ask_ui",
            "core::ptr::drop_in_place::<bindpose_classroom::record::StudentRecord>",
        ] {
            assert!(!is_named_of_class(of_any), "{of_any}");
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
        assert_eq!(called_in_class(&whole, &later), expected);
    }
}
