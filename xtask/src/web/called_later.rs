//! Which functions a page does not call before it is live. A program that counts its
//! calls finds it out in a browser; `web/called_later.txt` keeps a hash of each one's
//! name, as names with all their types take megabytes. So the program is divided alike
//! on each machine, however busy, and a function that is new comes first: an old list
//! costs bytes, which the budget sees, and no page waits.

use std::collections::BTreeSet;
use std::fs;

use super::module::WasmModule;
use crate::process::root;

const FILE: &str = "web/called_later.txt";
/// wasm-split's head of what was counted.
const COUNTS_HEAD: usize = 8;
/// Of a hundred names in the file, as many may be gone from the program.
const MOST_GONE: usize = 5;

/// Writes down which functions of `whole` none of the files `counts` says were called.
pub(super) fn write_down(whole: &WasmModule<'_>, counts: &[Vec<u8>]) -> Result<(), String> {
    let functions = &whole.functions;
    let mut called = BTreeSet::new();
    for file in counts {
        // Four bytes a function: when it was called first, from 1 on.
        let (moments, _) = file.get(COUNTS_HEAD..).unwrap_or_default().as_chunks::<4>();
        if moments.len() != functions.len() {
            return Err("the counts are not of this program".to_owned());
        }
        let with_moments = functions.iter().zip(moments);
        let of_file = with_moments.filter(|(_, moment)| **moment != [0; 4]);
        called.extend(of_file.map(|(function, _)| hash(function.name)));
    }
    let all: BTreeSet<u32> = functions.iter().map(|function| hash(function.name)).collect();
    let lines: String = all.difference(&called).map(|hash| format!("{hash:08x}\n")).collect();
    fs::write(root().join(FILE), lines).map_err(|why| format!("{FILE}: {why}"))
}

/// The names of those functions of `whole` that the file names.
///
/// Errors: too many names in the file are no longer in the program.
pub(super) fn named_in<'b>(whole: &WasmModule<'b>) -> Result<BTreeSet<&'b str>, String> {
    let text = fs::read_to_string(root().join(FILE)).map_err(|why| format!("{FILE}: {why}"))?;
    let listed: BTreeSet<u32> =
        text.lines().filter_map(|line| u32::from_str_radix(line, 16).ok()).collect();
    let names = whole.functions.iter().map(|function| function.name);
    let later: BTreeSet<&str> = names.filter(|name| listed.contains(&hash(name))).collect();
    let found: BTreeSet<u32> = later.iter().map(|name| hash(name)).collect();
    let gone = listed.len() - found.len();
    println!("· {} functions come later; of {FILE}, {gone} are gone", later.len());
    if gone * 100 > listed.len() * MOST_GONE {
        return Err(format!(
            "{gone} of {} functions in {FILE} are no longer in the program. Write down anew \
             what pages call first: cargo xtask web --measure",
            listed.len()
        ));
    }
    Ok(later)
}

/// Names of functions, a line each as wasm-split takes them.
pub(super) fn lines(names: &[&str]) -> String {
    // Version 108 escapes what later versions leave as it is.
    names.iter().map(|name| format!("{name}\n{}\n", escaped(name))).collect()
}

/// 32 bits, FNV-1a, of a name without what differs between builds.
fn hash(function: &str) -> u32 {
    let name = without_build(function);
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// A name without the hashes of crates, `core[c5930c85a12de822]::f`, without the numbers
/// that LLVM adds, `f.llvm.12`, and without the number of a copy, `f[1]`: which of several
/// copies has which number differs from build to build, so all of them come first or later.
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
    use super::*;

    #[test]
    fn a_name_stands_without_what_differs_between_builds() {
        let same = |a, b| assert_eq!(without_build(a), b);
        same("core[c5930c85a12de822]::mem::swap::<[u8; 4]>", "core::mem::swap::<[u8; 4]>");
        same("bindpose_page::ui.llvm.123", "bindpose_page::ui");
        same("a::b.1343", "a::b");
        same("<a::C>::drop[1]", "<a::C>::drop");
        same("__multi3", "__multi3");
        assert_ne!(hash("a::b"), hash("a::c"));
    }

    #[test]
    fn what_the_text_format_lacks_is_escaped() {
        assert_eq!(escaped("<A, B>::f"), "<A\\2c\\20B>::f");
        assert_eq!(escaped("x[1]"), "x\\5b1\\5d");
    }
}
