//! Finds functions that a page does not call before it is live. A version of the program counts its
//! calls in a browser, each time that another program is split. A list kept from one build would
//! not hold for the next: compilers inline differently, so a function that no page called in one
//! build may be called first in the other.
//!
//! Of these, finds the functions that run only in a class, which no page outside of one fetches:
//! those recognised by their names, and those that nothing else calls. The rest runs on any page,
//! to find that there is no class.

use std::collections::BTreeSet;

use super::module::{WasmModule, without_build};

/// Length of the header of wasm-split's counts.
const COUNTS_HEADER_BYTES: usize = 8;

/// Beginnings of the names of functions that run only in a class.
const CLASS_MODULES: [&str; 7] = [
    "bindpose_class_protocol::",
    "bindpose_page::classroom::",
    "bindpose_page::view::classroom::",
    "bindpose_paper::class_report::",
    "bindpose::app::host::browser::class_line::",
    "bindpose::app::shell::class_host::",
    "bindpose::app::shell::class_report::",
];

/// End of the names of such functions in other modules.
const CLASS_SUFFIX: &str = "_in_class";

/// Counts of the function calls of a page.
pub(super) struct PageCounts {
    /// Whether the page is one of those that are opened first.
    pub is_first: bool,
    /// File in the format of wasm-split.
    pub bytes: Vec<u8>,
}

/// Names of functions that not all pages need before they are live.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CalledLater<'b> {
    /// Functions that are called only by pages that are not opened first.
    pub by_pages: BTreeSet<&'b str>,
    /// Functions that no page calls.
    pub by_none: BTreeSet<&'b str>,
}

/// Finds the functions of the unsplit program that not all pages need.
///
/// # Errors
///
/// A message if the counts are those of another program.
pub(super) fn called_later<'b>(
    whole: &WasmModule<'b>,
    pages: &[PageCounts],
) -> Result<CalledLater<'b>, String> {
    let functions = &whole.functions;
    let mut is_called_by_first = vec![false; functions.len()];
    let mut is_called_by_any = vec![false; functions.len()];
    for page in pages {
        // Four bytes per function: the order of its first call, from 1, or 0 for none.
        let counts = page.bytes.get(COUNTS_HEADER_BYTES..).unwrap_or_default();
        let (first_calls, _) = counts.as_chunks::<4>();
        if first_calls.len() != functions.len() {
            return Err("the counts are not of this program".to_owned());
        }
        for (index, first_call) in first_calls.iter().enumerate() {
            let is_called = *first_call != [0; 4] || depends_on_hashes(functions[index].name);
            is_called_by_any[index] |= is_called;
            is_called_by_first[index] |= is_called && page.is_first;
        }
    }
    let mut later = CalledLater::default();
    for (index, function) in functions.iter().enumerate() {
        if !is_called_by_any[index] {
            later.by_none.insert(function.name);
        } else if !is_called_by_first[index] {
            later.by_pages.insert(function.name);
        }
    }
    println!(
        "· of {} functions, some pages call {} first and none calls {}",
        functions.len(),
        later.by_pages.len(),
        later.by_none.len()
    );
    Ok(later)
}

/// Returns true if a hash table compares keys with this function. It does so only for partly equal
/// hashes, which differ with each change of the program.
fn depends_on_hashes(function: &str) -> bool {
    function.starts_with("<hashbrown") && function.contains("::equivalent_key<")
}

/// Of the functions in `later`, finds those that run only in a class.
pub(super) fn called_in_class<'b>(
    whole: &WasmModule<'b>,
    later: &BTreeSet<&'b str>,
) -> BTreeSet<&'b str> {
    let functions = &whole.functions;
    let mut callers = vec![Vec::new(); functions.len()];
    for (caller, function) in functions.iter().enumerate() {
        for &called in &function.calls {
            callers[called].push(caller);
        }
    }
    let mut is_root = vec![false; functions.len()];
    let mut in_class = vec![false; functions.len()];
    for (index, function) in functions.iter().enumerate() {
        if later.contains(function.name) {
            is_root[index] = is_class_function(function.name);
            let has_only_known_callers = !function.is_in_table && !callers[index].is_empty();
            in_class[index] = is_root[index] || has_only_known_callers;
        }
    }
    // Starts with all candidates, and removes those that other functions call. Functions of a
    // class that call each other remain.
    loop {
        let called_by_others: Vec<usize> = (0..functions.len())
            .filter(|&index| in_class[index] && !is_root[index])
            .filter(|&index| callers[index].iter().any(|&caller| !in_class[caller]))
            .collect();
        if called_by_others.is_empty() {
            break;
        }
        for index in called_by_others {
            in_class[index] = false;
        }
    }
    let class_functions = functions.iter().zip(in_class).filter(|(_, in_class)| *in_class);
    class_functions.map(|(function, _)| function.name).collect()
}

fn is_class_function(function: &str) -> bool {
    let name = without_build(function);
    let path = name.trim_start_matches(['<', '&', '(']);
    CLASS_MODULES.iter().any(|module| path.starts_with(module)) || name.ends_with(CLASS_SUFFIX)
}

#[cfg(test)]
mod tests {
    use super::super::module::WasmFunction;
    use super::*;

    #[test]
    fn functions_are_divided_by_the_pages_that_call_them() {
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
            PageCounts {
                is_first,
                bytes: [0; COUNTS_HEADER_BYTES].into_iter().chain(moments).collect(),
            }
        };
        let later =
            called_later(&whole, &[counts(false, [2, 1, 0, 0]), counts(true, [9, 0, 0, 0])]);
        let by = |names: &[&'static str]| names.iter().copied().collect();
        let expected = CalledLater { by_pages: by(&["some"]), by_none: by(&["none"]) };
        assert_eq!(later, Ok(expected));
        let cut_off = PageCounts { is_first: true, bytes: vec![0; COUNTS_HEADER_BYTES + 8] };
        assert!(called_later(&whole, &[cut_off]).is_err());
    }

    #[test]
    fn functions_of_a_class_are_recognised_by_name() {
        for of_class in [
            "bindpose_page[c5930c85a12de822]::classroom::strip::strip",
            "<bindpose_class_protocol[0123456789abcdef]::teacher::TeacherClient>::hear",
            "<bindpose::app::shell::Shell>::go_in_class",
        ] {
            assert!(is_class_function(of_class), "{of_class}");
        }
        for of_any in [
            "bindpose_page::cells::ask::ask_ui",
            "core::ptr::drop_in_place::<bindpose_class_protocol::record::StudentRecord>",
        ] {
            assert!(!is_class_function(of_any), "{of_any}");
        }
    }

    #[test]
    fn functions_called_only_by_a_class_belong_to_it() {
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
