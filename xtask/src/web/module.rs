//! As much of a WebAssembly module as dividing and measuring it takes: its functions by
//! name and length, which of them call which, and the tables that it exports.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use wasmparser::{
    BinaryReaderError, Element, ElementItems, ExternalKind, FunctionBody, KnownCustom, Name,
    Operator, Parser, Payload, TypeRef,
};

/// Before the sections: a magic number and the version.
const HEAD: usize = 8;
/// Kinds of sections.
const CUSTOM: u8 = 0;
const IMPORT: u8 = 2;

/// A function of the module's own.
pub(super) struct WasmFunction<'b> {
    /// Empty where it has none.
    pub name: &'b str,
    /// How long its code is.
    pub bytes: u64,
    /// Those of the module's own that it calls by their number, as places in the list.
    pub calls: BTreeSet<usize>,
    /// Does it stand in a table, from where anything can call it?
    pub is_in_table: bool,
}

/// A module.
pub(super) struct WasmModule<'b> {
    bytes: &'b [u8],
    /// Kinds, and where their contents are.
    sections: Vec<(u8, Range<usize>)>,
    /// Tables by the names under which they are exported, and where their numbers stand.
    tables: Vec<(&'b str, usize)>,
    /// In their order.
    pub functions: Vec<WasmFunction<'b>>,
}

impl<'b> WasmModule<'b> {
    /// `None`: it is cut off, or none at all.
    pub(super) fn read(bytes: &'b [u8]) -> Option<Self> {
        Self::parsed(bytes).ok()
    }

    fn parsed(bytes: &'b [u8]) -> Result<Self, BinaryReaderError> {
        let mut module =
            Self { bytes, sections: Vec::new(), tables: Vec::new(), functions: Vec::new() };
        let mut names = HashMap::new();
        let (mut imported, mut in_table) = (0, BTreeSet::new());
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload?;
            module.sections.extend(payload.as_section());
            match payload {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        imported += usize::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::ExportSection(exports) => {
                    for export in exports.into_iter_with_offsets() {
                        let (at, export) = export?;
                        if export.kind == ExternalKind::Table {
                            // Its length, which takes a byte, its name, and its kind.
                            module.tables.push((export.name, at + export.name.len() + 2));
                        }
                    }
                }
                Payload::ElementSection(elements) => {
                    for element in elements {
                        in_table.extend(functions_of(element?)?);
                    }
                }
                Payload::CodeSectionEntry(body) => {
                    let (bytes, calls) = (body.range().len() as u64, calls(&body)?);
                    let function = WasmFunction { name: "", bytes, calls, is_in_table: false };
                    module.functions.push(function);
                }
                Payload::CustomSection(custom) => {
                    if let KnownCustom::Name(parts) = custom.as_known() {
                        for part in parts {
                            let Name::Function(map) = part? else { continue };
                            for name in map {
                                let name = name?;
                                names.insert(name.index as usize, name.name);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        for (place, function) in module.functions.iter_mut().enumerate() {
            // Imported ones have the first numbers.
            let number = imported + place;
            function.name = names.get(&number).copied().unwrap_or_default();
            function.is_in_table = in_table.contains(&number);
            let calls = std::mem::take(&mut function.calls);
            function.calls =
                calls.into_iter().filter_map(|number| number.checked_sub(imported)).collect();
        }
        Ok(module)
    }

    #[cfg(test)]
    pub(super) fn of_functions(functions: Vec<WasmFunction<'b>>) -> Self {
        Self { bytes: &[], sections: Vec::new(), tables: Vec::new(), functions }
    }

    /// The number of a table that is exported under this name.
    pub(super) fn table_export(&self, name: &str) -> Option<u8> {
        Some(self.bytes[self.table_export_at(name)?])
    }

    /// Where that number stands; it takes one byte.
    pub(super) fn table_export_at(&self, name: &str) -> Option<usize> {
        let table = self.tables.iter().find(|(exported, _)| *exported == name);
        table.map(|&(_, at)| at)
    }
}

/// Numbers of the functions that stand in a part of a table.
fn functions_of(element: Element<'_>) -> Result<Vec<usize>, BinaryReaderError> {
    let mut functions = Vec::new();
    match element.items {
        ElementItems::Functions(numbers) => {
            for number in numbers {
                functions.push(number? as usize);
            }
        }
        ElementItems::Expressions(_, values) => {
            for value in values {
                for operator in value?.get_operators_reader() {
                    if let Operator::RefFunc { function_index } = operator? {
                        functions.push(function_index as usize);
                    }
                }
            }
        }
    }
    Ok(functions)
}

/// Numbers of the functions that a function calls or takes the address of.
fn calls(body: &FunctionBody<'_>) -> Result<BTreeSet<usize>, BinaryReaderError> {
    let mut calls = BTreeSet::new();
    for operator in body.get_operators_reader()? {
        if let Operator::Call { function_index } | Operator::RefFunc { function_index } = operator?
        {
            calls.insert(function_index as usize);
        }
    }
    Ok(calls)
}

/// The module without names and whatever else does not run.
pub(super) fn stripped(module: &WasmModule<'_>) -> Vec<u8> {
    let mut out = module.bytes[..HEAD].to_vec();
    let mut start = HEAD;
    for (kind, range) in &module.sections {
        if *kind != CUSTOM {
            out.extend(&module.bytes[start..range.end]);
        }
        start = range.end;
    }
    out
}

/// What stands between an import or export and those beside it: where it begins and where
/// its last name ends, and that name.
type NamedItem<'b> = (Range<usize>, &'b str);

/// The module `bytes` with shorter names where it exports or imports what a part takes of
/// another: with names kept, wasm-split calls it as it is called inside, which takes more
/// bytes than anything else in a class's part. What begins with `prefix` is renamed, by
/// `names`, which learns those that it lacks. Tables that it imports may have grown by then.
pub(super) fn with_short_names(
    bytes: &[u8],
    prefix: char,
    names: &mut HashMap<String, String>,
) -> Option<Vec<u8>> {
    let mut out = bytes[..HEAD].to_vec();
    let mut start = HEAD;
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload.ok()?;
        let Some((kind, range)) = payload.as_section() else { continue };
        let items = named_items(payload).ok()?;
        if items.is_empty() {
            out.extend(&bytes[start..range.end]);
        } else {
            let mut contents = unsigned(items.len());
            let ends = items.iter().skip(1).map(|(item, _)| item.start).chain([range.end]);
            for ((item, name), end) in items.iter().zip(ends) {
                let named_before = item.end - name.len() - unsigned(name.len()).len();
                contents.extend(&bytes[item.start..named_before]);
                let next = names.len();
                let short = || format!("{prefix}{next}");
                let name: &str = if name.starts_with(prefix) {
                    names.entry((*name).to_owned()).or_insert_with(short)
                } else {
                    name
                };
                contents.extend(unsigned(name.len()));
                contents.extend(name.as_bytes());
                contents.extend(without_most(kind, &bytes[item.end..end]));
            }
            out.extend(section(kind, &contents));
        }
        start = range.end;
    }
    Some(out)
}

/// What is imported or exported, as it stands behind its name; of a table that is imported
/// without how large it may become.
fn without_most(section: u8, item: &[u8]) -> Vec<u8> {
    match item {
        // A table, of functions, with a least and a most.
        [1, 0x70, 1, sizes @ ..] if section == IMPORT => {
            let least = sizes.iter().take_while(|byte| **byte >= 0x80).count() + 1;
            [&[1, 0x70, 0], &sizes[..least]].concat()
        }
        _ => item.to_vec(),
    }
}

/// Of the sections of imports and exports; else empty.
fn named_items(payload: Payload<'_>) -> Result<Vec<NamedItem<'_>>, BinaryReaderError> {
    let length = |name: &str| unsigned(name.len()).len() + name.len();
    match payload {
        Payload::ExportSection(exports) => {
            let items = exports.into_iter_with_offsets();
            items.map(|item| item.map(|(at, one)| (at..at + length(one.name), one.name))).collect()
        }
        Payload::ImportSection(imports) => {
            let items = imports.into_imports_with_offsets();
            let named = items.map(|item| {
                item.map(|(at, one)| (at..at + length(one.module) + length(one.name), one.name))
            });
            named.collect()
        }
        _ => Ok(Vec::new()),
    }
}

/// A section of a module, whole.
pub(super) fn section(kind: u8, contents: &[u8]) -> Vec<u8> {
    [&[kind], unsigned(contents.len()).as_slice(), contents].concat()
}

/// Signed LEB128 of what is not negative, as short as it can be.
pub(super) fn signed(value: usize) -> Vec<u8> {
    let mut bytes = unsigned(value);
    // The highest bit of seven is the sign.
    if let Some(last) = bytes.last_mut().filter(|last| **last >= 0x40) {
        *last |= 0x80;
        bytes.push(0);
    }
    bytes
}

/// LEB128, as short as it can be.
pub(super) fn unsigned(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let byte = (value & 0x7f) as u8;
        value >>= 7;
        bytes.push(if value == 0 { byte } else { byte | 0x80 });
        if value == 0 {
            return bytes;
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Two functions, of which one calls the other and stands in a table, which is exported,
    /// and names.
    fn module() -> Vec<u8> {
        let mut out = b"\0asm\x01\0\0\0".to_vec();
        let mut section = |kind: u8, bytes: &[u8]| {
            out.push(kind);
            out.push(bytes.len() as u8);
            out.extend(bytes);
        };
        section(1, &[1, 0x60, 0, 0]);
        section(2, b"\x01\x01m\x01f\0\0");
        section(3, &[2, 0, 0]);
        section(4, &[2, 0x70, 0, 1, 0x6f, 0, 1]);
        section(7, b"\x01\x01t\x01\x01");
        section(9, &[1, 0, 0x41, 0, 0x0b, 1, 1]);
        section(10, &[2, 6, 0, 0x10, 0, 0x10, 2, 0x0b, 2, 0, 0x0b]);
        section(CUSTOM, b"\x04name\x01\x0d\x02\x01\x04main\x02\x04last");
        out
    }

    #[test]
    fn a_table_is_found_and_names_are_left_out() {
        let bytes = module();
        let read = WasmModule::read(&bytes).expect("a module");
        assert_eq!(read.table_export("t"), Some(1));
        assert_eq!(read.table_export("u"), None);
        let bare = stripped(&read);
        assert!(bytes.starts_with(&bare) && !bare.ends_with(b"last"));
        let read = WasmModule::read(&bare).expect("a module");
        assert_eq!(read.table_export("t"), Some(1));
        assert!(read.functions.iter().all(|function| function.name.is_empty()));
    }

    #[test]
    fn functions_are_known_by_name_behind_what_is_imported() {
        let bytes = module();
        let functions = WasmModule::read(&bytes).expect("a module").functions;
        let read: Vec<_> =
            functions.iter().map(|one| (one.name, one.bytes, one.is_in_table)).collect();
        assert_eq!(read, [("main", 6, true), ("last", 2, false)]);
        assert_eq!(functions[0].calls, BTreeSet::from([1]), "what is imported is left out");
        assert!(functions[1].calls.is_empty());
    }

    #[test]
    fn names_that_begin_alike_become_short_and_all_else_stays() {
        let bytes = module();
        let mut names = HashMap::new();
        assert_eq!(with_short_names(&bytes, '&', &mut names).as_deref(), Some(&*bytes));
        assert!(names.is_empty());
        let short = with_short_names(&bytes, 't', &mut names).expect("a module");
        let read = WasmModule::read(&short).expect("a module");
        assert_eq!((read.table_export("t0"), read.table_export("t")), (Some(1), None));
        assert_eq!(read.functions[0].name, "main");
        let short = with_short_names(&bytes, 'f', &mut names).expect("a module");
        assert!(short.windows(7).any(|part| part == b"\x01m\x02f1\0\0"), "what it imports, too");
        assert_eq!(without_most(IMPORT, &[1, 0x70, 1, 0x80, 2, 0x80, 4]), [1, 0x70, 0, 0x80, 2]);
        assert_eq!(without_most(7, &[1, 1]), [1, 1]);
    }

    #[test]
    fn what_is_cut_off_is_no_module() {
        let bytes = module();
        for end in 0..bytes.len() {
            let read = WasmModule::read(&bytes[..end]);
            assert!(read.is_none_or(|module| module.functions.len() != 2 || end > HEAD), "{end}");
        }
        assert!(WasmModule::read(&bytes[..bytes.len() - 1]).is_none());
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
}
