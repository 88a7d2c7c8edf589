//! Which functions a page does not call before it is live: a program that counts its
//! calls finds it out in a browser, each time that another program is divided. A list
//! kept from one build would not hold for the next: where compilers inline differs, so a
//! function that no page called in one may be called first in the other.

use std::collections::BTreeSet;

use super::module::WasmModule;

/// wasm-split's head of what was counted.
const COUNTS_HEAD: usize = 8;

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
pub(super) fn of<'b>(
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
        let later = of(&whole, &[counts(false, [2, 1, 0, 0]), counts(true, [9, 0, 0, 0])]);
        let by = |names: &[&'static str]| names.iter().copied().collect();
        let expected = CalledLater { by_pages: by(&["some"]), by_none: by(&["none"]) };
        assert_eq!(later, Ok(expected));
        let cut_off = PageCounts { is_first: true, bytes: vec![0; COUNTS_HEAD + 8] };
        assert!(of(&whole, &[cut_off]).is_err());
    }
}
