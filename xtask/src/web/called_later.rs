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
            any[at] |= *moment != [0; 4];
            first[at] |= page.is_first && *moment != [0; 4];
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

/// Names of functions, a line each as wasm-split takes them.
pub(super) fn lines(names: &[&str]) -> String {
    // Version 108 escapes what later versions leave as it is.
    names.iter().map(|name| format!("{name}\n{}\n", escaped(name))).collect()
}

/// A name without the hashes of crates, `core[c5930c85a12de822]::f`, without the numbers
/// that LLVM adds, `f.llvm.12`, and without the number of a copy, `f[1]`.
pub(super) fn without_build(function: &str) -> String {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let end = function.find(".llvm.").unwrap_or(function.len());
    let function = match function[..end].rsplit_once('.') {
        Some((name, number)) if is_number(number) => name,
        _ => &function[..end],
    };
    let function = match function.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        Some((name, copy)) if is_number(copy) => name,
        _ => function,
    };
    let mut parts = function.split('[');
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(']') {
            Some((hash, rest)) if is_crate_hash(hash) => name.push_str(rest),
            _ => name.extend(["[", part]),
        }
    }
    name
}

fn is_crate_hash(text: &str) -> bool {
    (15..=16).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Each byte that the text format has not in names becomes `\` and two digits.
fn escaped(name: &str) -> String {
    let kept = b"!#$%&'*+-./:<=>?@\\^_`|~";
    name.bytes()
        .map(|byte| match byte.is_ascii_alphanumeric() || kept.contains(&byte) {
            true => char::from(byte).to_string(),
            false => format!("\\{byte:02x}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::module::WasmFunction;
    use super::*;

    #[test]
    fn what_no_page_calls_is_told_from_what_those_call_that_are_not_opened_first() {
        let function =
            |name| WasmFunction { name, bytes: 1, calls: BTreeSet::new(), is_in_table: false };
        let names = ["all", "some", "none"];
        let whole = WasmModule::of_functions(names.map(function).into());
        let counts = |is_first, moments: [u8; 3]| {
            let moments = moments.into_iter().flat_map(|moment| [moment, 0, 0, 0]);
            PageCounts { is_first, bytes: [0; COUNTS_HEAD].into_iter().chain(moments).collect() }
        };
        let later = of(&whole, &[counts(false, [2, 1, 0]), counts(true, [9, 0, 0])]);
        let by = |names: &[&'static str]| names.iter().copied().collect();
        let expected = CalledLater { by_pages: by(&["some"]), by_none: by(&["none"]) };
        assert_eq!(later, Ok(expected));
        let cut_off = PageCounts { is_first: true, bytes: vec![0; COUNTS_HEAD + 8] };
        assert!(of(&whole, &[cut_off]).is_err());
    }

    #[test]
    fn a_name_stands_without_what_differs_between_builds() {
        let same = |a, b| assert_eq!(without_build(a), b);
        same("core[c5930c85a12de822]::mem::swap::<[u8; 4]>", "core::mem::swap::<[u8; 4]>");
        same("bindpose_page::ui.llvm.123", "bindpose_page::ui");
        same("a::b.1343", "a::b");
        same("<a::C>::drop[1]", "<a::C>::drop");
        same("__multi3", "__multi3");
    }

    #[test]
    fn what_the_text_format_lacks_is_escaped() {
        assert_eq!(escaped("<A, B>::f"), "<A\\2c\\20B>::f");
        assert_eq!(escaped("x[1]"), "x\\5b1\\5d");
    }
}
