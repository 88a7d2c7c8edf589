//! Which functions a page calls before it is live. A program that counts its calls
//! finds it out in a browser; `web/called_first.txt` keeps their names, so that the
//! program is divided alike on each machine, however busy.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::module::WasmModule;
use crate::process::root;

const FILE: &str = "web/called_first.txt";
/// wasm-split's head of what was counted.
const COUNTS_HEAD: usize = 8;
/// Of a hundred names in the file, as many may be gone from the program.
const MOST_GONE: usize = 5;
/// What follows a function's name: `::h` and as many digits of a hash.
const HASH_DIGITS: usize = 16;

/// Writes down which functions of `whole` the files `counts` say were called.
pub(super) fn write_down(whole: &WasmModule<'_>, counts: &[Vec<u8>]) -> Result<(), String> {
    let functions = whole.code_sizes().ok_or("the program has no names")?;
    let mut called = BTreeSet::new();
    for file in counts {
        // Four bytes a function: when it was called first, from 1 on.
        let (moments, _) = file.get(COUNTS_HEAD..).unwrap_or_default().as_chunks::<4>();
        if moments.len() != functions.len() {
            return Err("the counts are not of this program".to_owned());
        }
        let with_moments = functions.iter().zip(moments);
        let of_file = with_moments.filter(|(_, moment)| **moment != [0; 4]);
        called.extend(of_file.map(|((name, _), _)| without_hash(name)));
    }
    let lines: String = called.iter().map(|name| format!("{name}\n")).collect();
    fs::write(root().join(FILE), lines).map_err(|why| format!("{FILE}: {why}"))
}

/// The functions of `whole` that the file names, a line each as wasm-split takes them.
///
/// Errors: too many names in the file are no longer in the program.
pub(super) fn named_in(whole: &WasmModule<'_>) -> Result<String, String> {
    let text = fs::read_to_string(root().join(FILE)).map_err(|why| format!("{FILE}: {why}"))?;
    let listed: BTreeSet<&str> = text.lines().collect();
    let functions = whole.code_sizes().ok_or("the program has no names")?;
    let first = functions.iter().filter(|(name, _)| listed.contains(without_hash(name)));
    let first: Vec<&str> = first.map(|(name, _)| *name).collect();
    let found: BTreeSet<&str> = first.iter().map(|name| without_hash(name)).collect();
    let gone = listed.len() - found.len();
    println!("· {} functions come first; of {FILE}, {gone} are gone", first.len());
    if gone * 100 > listed.len() * MOST_GONE {
        return Err(format!(
            "{gone} of {} functions in {FILE} are no longer in the program. Write down anew \
             what pages call first: cargo xtask web --measure",
            listed.len()
        ));
    }
    // Version 108 escapes what later versions leave as it is.
    Ok(first.iter().map(|name| format!("{name}\n{}\n", escaped(name))).collect())
}

fn without_hash(function: &str) -> &str {
    match function.rsplit_once("::h") {
        Some((name, hash)) if hash.len() == HASH_DIGITS => name,
        _ => function,
    }
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
    fn a_name_stands_without_the_hash_of_the_build() {
        assert_eq!(without_hash("a::b::h0123456789abcdef"), "a::b");
        assert_eq!(without_hash("a::help"), "a::help");
        assert_eq!(without_hash("memcpy"), "memcpy");
    }

    #[test]
    fn what_the_text_format_lacks_is_escaped() {
        assert_eq!(escaped("<A, B>::f"), "<A\\2c\\20B>::f");
        assert_eq!(escaped("x[1]"), "x\\5b1\\5d");
    }
}
