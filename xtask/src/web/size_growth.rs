//! What has grown since `web/sizes.tsv` was written: the code of each module of ours and
//! of each crate, unpacked, and what else a browser loads, gzipped.

use std::collections::BTreeMap;
use std::fs;

use super::module::{WasmModule, without_build};
use crate::process::root;

const FILE: &str = "web/sizes.tsv";
/// How many lines a failure says.
const MOST_SAID: usize = 12;

/// Bytes by name.
pub(super) type Sizes = BTreeMap<String, u64>;

/// Adds the code in `wasm`, a program with names, to `sizes`.
pub(super) fn add_code(sizes: &mut Sizes, wasm: &[u8]) -> Option<()> {
    for function in WasmModule::read(wasm)?.functions {
        *sizes.entry(module_of(&without_build(function.name))).or_default() += function.bytes;
    }
    Some(())
}

/// Writes `sizes` down.
pub(super) fn update(sizes: &Sizes) -> Result<(), String> {
    let lines = sizes.iter().map(|(name, bytes)| format!("{name}\t{bytes}\n"));
    let text: String = lines.collect();
    fs::write(root().join(FILE), text).map_err(|why| format!("{FILE}: {why}"))
}

/// What grew most, a line each, with how to write the sizes down anew.
pub(super) fn said(sizes: &Sizes) -> String {
    let before = fs::read_to_string(root().join(FILE)).unwrap_or_default();
    let grown = grown(&read(&before), sizes);
    let lines =
        grown.iter().take(MOST_SAID).map(|(name, more)| format!("    {more:>+9}  {name}\n"));
    format!(
        "What grew since {FILE} was written (cargo xtask web --measure writes it anew):\n{}",
        lines.collect::<String>()
    )
}

fn read(text: &str) -> Sizes {
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    lines.filter_map(|(name, bytes)| Some((name.to_owned(), bytes.parse().ok()?))).collect()
}

/// The largest first.
fn grown(before: &Sizes, after: &Sizes) -> Vec<(String, i64)> {
    let more = |name: &String, bytes: u64| {
        bytes.cast_signed() - before.get(name).copied().unwrap_or_default().cast_signed()
    };
    let all = after.iter().map(|(name, &bytes)| (name.clone(), more(name, bytes)));
    let mut grown: Vec<_> = all.filter(|&(_, more)| more > 0).collect();
    grown.sort_by_key(|&(_, more)| std::cmp::Reverse(more));
    grown
}

/// `bindpose_page::cells` of `<bindpose_page::cells::tree::Row as Debug>::fmt`; of code of
/// others the crate alone. What is made for a type of ours is counted as ours.
fn module_of(function: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let ours = function.find("bindpose").map(|at| &function[at..]);
    let path = ours.unwrap_or_else(|| function.trim_start_matches(|c| !is_name(c)));
    let end = path.find(|c| !is_name(c) && c != ':').unwrap_or(path.len());
    let mut parts = path[..end].split("::").filter(|part| !part.is_empty());
    let name = parts.next().unwrap_or("unnamed");
    match parts.next().filter(|_| ours.is_some()) {
        Some(module) => format!("{name}::{module}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_counts_for_its_module_or_for_what_it_is_made_for() {
        let of = |function| module_of(function);
        assert_eq!(of("bindpose_page::cells::tree::row::h0a"), "bindpose_page::cells");
        assert_eq!(of("<bindpose_skin::Clip as core::fmt::Debug>::fmt"), "bindpose_skin::Clip");
        assert_eq!(
            of("core::ptr::drop_in_place<bindpose_lesson::set::Set>"),
            "bindpose_lesson::set"
        );
        assert_eq!(of("<epaint::Shape as Clone>::clone"), "epaint");
        assert_eq!(of("memcpy"), "memcpy");
    }

    #[test]
    fn what_grew_most_is_said_first_and_what_shrank_is_not() {
        let before = read("a\t10\nb\t10\nc\t10\n");
        let after = read("a\t12\nb\t5\nc\t10\nd\t7\n");
        let expected = [("d".to_owned(), 7), ("a".to_owned(), 2)];
        assert_eq!(grown(&before, &after), expected);
    }
}
