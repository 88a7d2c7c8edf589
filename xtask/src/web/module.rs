//! Reads and writes WebAssembly modules as far as splitting and measuring requires: functions with
//! their names, lengths and calls, and exported tables.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use wasmparser::{
    BinaryReaderError, Element, ElementItems, ExternalKind, FunctionBody, KnownCustom, Name,
    Operator, Parser, Payload, TypeRef,
};

/// Length of the magic number and the version before the sections.
const HEADER_BYTES: usize = 8;

// Kinds of sections.
const CUSTOM: u8 = 0;
const IMPORT: u8 = 2;

/// A function that the module defines.
pub(super) struct WasmFunction<'b> {
    /// Name, or an empty text if it has none.
    pub name: &'b str,
    /// Length of its code.
    pub bytes: u64,
    /// Functions of the module that it calls directly, as indices of the list.
    pub calls: BTreeSet<usize>,
    /// Whether it is in a table, through which any code can call it.
    pub is_in_table: bool,
}

pub(super) struct WasmModule<'b> {
    bytes: &'b [u8],
    /// Kinds and contents of the sections.
    sections: Vec<(u8, Range<usize>)>,
    exported_tables: Vec<ExportedTable<'b>>,
    /// Functions in the order of their indices, without imported ones.
    pub functions: Vec<WasmFunction<'b>>,
}

struct ExportedTable<'b> {
    name: &'b str,
    /// Offset of the table's index in the file. The index takes one byte.
    index_offset: usize,
}

impl<'b> WasmModule<'b> {
    /// Returns `None` if the bytes are no complete module.
    pub(super) fn read(bytes: &'b [u8]) -> Option<Self> {
        Self::parse(bytes).ok()
    }

    fn parse(bytes: &'b [u8]) -> Result<Self, BinaryReaderError> {
        let mut module = Self {
            bytes,
            sections: Vec::new(),
            exported_tables: Vec::new(),
            functions: Vec::new(),
        };
        let mut names = HashMap::new();
        let mut imported_count = 0;
        let mut table_entries = BTreeSet::new();
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload?;
            module.sections.extend(payload.as_section());
            match payload {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        imported_count += usize::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::ExportSection(exports) => {
                    for export in exports.into_iter_with_offsets() {
                        let (offset, export) = export?;
                        if export.kind == ExternalKind::Table {
                            // The index follows the length of the name, which takes a byte, the
                            // name, and the kind of export.
                            module.exported_tables.push(ExportedTable {
                                name: export.name,
                                index_offset: offset + export.name.len() + 2,
                            });
                        }
                    }
                }
                Payload::ElementSection(elements) => {
                    for element in elements {
                        table_entries.extend(element_functions(element?)?);
                    }
                }
                Payload::CodeSectionEntry(body) => {
                    module.functions.push(WasmFunction {
                        name: "",
                        bytes: body.range().len() as u64,
                        calls: called_functions(&body)?,
                        is_in_table: false,
                    });
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
            // Imported functions have the first indices.
            let index = imported_count + place;
            function.name = names.get(&index).copied().unwrap_or_default();
            function.is_in_table = table_entries.contains(&index);
            function.calls = function
                .calls
                .iter()
                .filter_map(|index| index.checked_sub(imported_count))
                .collect();
        }
        Ok(module)
    }

    #[cfg(test)]
    pub(super) fn of_functions(functions: Vec<WasmFunction<'b>>) -> Self {
        Self { bytes: &[], sections: Vec::new(), exported_tables: Vec::new(), functions }
    }

    /// Index of the table exported under this name.
    pub(super) fn table_export(&self, name: &str) -> Option<u8> {
        Some(self.bytes[self.table_export_offset(name)?])
    }

    /// Offset of that index in the file. It takes one byte.
    pub(super) fn table_export_offset(&self, name: &str) -> Option<usize> {
        let table = self.exported_tables.iter().find(|table| table.name == name);
        table.map(|table| table.index_offset)
    }
}

/// Returns the indices of functions in an element segment, which fills a part of a table.
fn element_functions(element: Element<'_>) -> Result<Vec<usize>, BinaryReaderError> {
    let mut functions = Vec::new();
    match element.items {
        ElementItems::Functions(indices) => {
            for index in indices {
                functions.push(index? as usize);
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

/// Returns the indices of functions that a function calls or takes the address of.
fn called_functions(body: &FunctionBody<'_>) -> Result<BTreeSet<usize>, BinaryReaderError> {
    let mut calls = BTreeSet::new();
    for operator in body.get_operators_reader()? {
        if let Operator::Call { function_index } | Operator::RefFunc { function_index } = operator?
        {
            calls.insert(function_index as usize);
        }
    }
    Ok(calls)
}

/// Returns the module without custom sections, such as names.
pub(super) fn strip(module: &WasmModule<'_>) -> Vec<u8> {
    let mut out = module.bytes[..HEADER_BYTES].to_vec();
    let mut start = HEADER_BYTES;
    for (kind, range) in &module.sections {
        if *kind != CUSTOM {
            out.extend(&module.bytes[start..range.end]);
        }
        start = range.end;
    }
    out
}

/// An import or export.
struct NamedItem<'b> {
    /// Range from its beginning to the end of its last name.
    range: Range<usize>,
    /// The last name.
    name: &'b str,
}

/// Shortens the names under which a module exports or imports functions of another part. If it
/// keeps names, wasm-split uses those of the functions, which take more bytes than anything else in
/// the part of a class. Names that begin with `prefix` are shortened by `names`, to which new ones
/// are added. Removes the maximum size of imported tables, which may have grown by then. Returns
/// `None` if the bytes are no module.
pub(super) fn with_short_names(
    bytes: &[u8],
    prefix: char,
    names: &mut HashMap<String, String>,
) -> Option<Vec<u8>> {
    let mut out = bytes[..HEADER_BYTES].to_vec();
    let mut start = HEADER_BYTES;
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload.ok()?;
        let Some((kind, range)) = payload.as_section() else { continue };
        let items = named_items(payload).ok()?;
        if items.is_empty() {
            out.extend(&bytes[start..range.end]);
        } else {
            let mut contents = unsigned(items.len());
            let ends = items.iter().skip(1).map(|item| item.range.start).chain([range.end]);
            for (NamedItem { range, name }, end) in items.iter().zip(ends) {
                let name_start = range.end - name.len() - unsigned(name.len()).len();
                contents.extend(&bytes[range.start..name_start]);
                let next_number = names.len();
                let name: &str = if name.starts_with(prefix) {
                    names
                        .entry((*name).to_owned())
                        .or_insert_with(|| format!("{prefix}{next_number}"))
                } else {
                    name
                };
                contents.extend(unsigned(name.len()));
                contents.extend(name.as_bytes());
                contents.extend(without_table_maximum(kind, &bytes[range.end..end]));
            }
            out.extend(section(kind, &contents));
        }
        start = range.end;
    }
    Some(out)
}

/// Returns the description of an import or export after its name, for an imported table without its
/// maximum size.
fn without_table_maximum(section: u8, item: &[u8]) -> Vec<u8> {
    match item {
        // A table of functions with a minimum and a maximum size.
        [1, 0x70, 1, sizes @ ..] if section == IMPORT => {
            let minimum_length = sizes.iter().take_while(|byte| **byte >= 0x80).count() + 1;
            [&[1, 0x70, 0], &sizes[..minimum_length]].concat()
        }
        _ => item.to_vec(),
    }
}

/// Returns the items of a section of imports or exports. Returns none for other sections.
fn named_items(payload: Payload<'_>) -> Result<Vec<NamedItem<'_>>, BinaryReaderError> {
    let mut items = Vec::new();
    match payload {
        Payload::ExportSection(exports) => {
            for export in exports.into_iter_with_offsets() {
                let (start, export) = export?;
                let end = start + encoded_length(export.name);
                items.push(NamedItem { range: start..end, name: export.name });
            }
        }
        Payload::ImportSection(imports) => {
            for import in imports.into_imports_with_offsets() {
                let (start, import) = import?;
                let end = start + encoded_length(import.module) + encoded_length(import.name);
                items.push(NamedItem { range: start..end, name: import.name });
            }
        }
        _ => {}
    }
    Ok(items)
}

/// Length of a name in a module, including the number of its bytes.
fn encoded_length(name: &str) -> usize {
    unsigned(name.len()).len() + name.len()
}

/// Encodes a section with its kind and length.
pub(super) fn section(kind: u8, contents: &[u8]) -> Vec<u8> {
    [&[kind], unsigned(contents.len()).as_slice(), contents].concat()
}

/// Encodes a number that is not negative as the shortest signed LEB128.
pub(super) fn signed(value: usize) -> Vec<u8> {
    let mut bytes = unsigned(value);
    // The highest bit of seven is the sign.
    if let Some(last) = bytes.last_mut().filter(|last| **last >= 0x40) {
        *last |= 0x80;
        bytes.push(0);
    }
    bytes
}

/// Encodes a number as the shortest unsigned LEB128.
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

/// Returns a name without the hashes of crates, `core[c5930c85a12de822]::f`, the numbers that LLVM
/// adds, `f.llvm.12`, and the number of a copy, `f[1]`.
pub(super) fn without_build(function: &str) -> String {
    let llvm_suffix = function.find(".llvm.").unwrap_or(function.len());
    let without_llvm = match function[..llvm_suffix].rsplit_once('.') {
        Some((name, number)) if is_number(number) => name,
        _ => &function[..llvm_suffix],
    };
    let without_copy = match without_llvm.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        Some((name, copy)) if is_number(copy) => name,
        _ => without_llvm,
    };
    let mut parts = without_copy.split('[');
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(']') {
            Some((hash, rest)) if is_crate_hash(hash) => name.push_str(rest),
            _ => name.extend(["[", part]),
        }
    }
    name
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_crate_hash(text: &str) -> bool {
    (15..=16).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a module with names and two functions. One calls the other, and is in a table, which
    /// is exported.
    fn module() -> Vec<u8> {
        let mut out = b"\0asm\x01\0\0\0".to_vec();
        let sections: [(u8, &[u8]); 8] = [
            (1, &[1, 0x60, 0, 0]),
            (2, b"\x01\x01m\x01f\0\0"),
            (3, &[2, 0, 0]),
            (4, &[2, 0x70, 0, 1, 0x6f, 0, 1]),
            (7, b"\x01\x01t\x01\x01"),
            (9, &[1, 0, 0x41, 0, 0x0b, 1, 1]),
            (10, &[2, 6, 0, 0x10, 0, 0x10, 2, 0x0b, 2, 0, 0x0b]),
            (CUSTOM, b"\x04name\x01\x0d\x02\x01\x04main\x02\x04last"),
        ];
        for (kind, contents) in sections {
            out.extend(section(kind, contents));
        }
        out
    }

    #[test]
    fn tables_are_found_and_names_stripped() {
        let bytes = module();
        let read = WasmModule::read(&bytes).expect("a module");
        assert_eq!(read.table_export("t"), Some(1));
        assert_eq!(read.table_export("u"), None);
        let bare = strip(&read);
        assert!(bytes.starts_with(&bare) && !bare.ends_with(b"last"));
        let read = WasmModule::read(&bare).expect("a module");
        assert_eq!(read.table_export("t"), Some(1));
        assert!(read.functions.iter().all(|function| function.name.is_empty()));
    }

    #[test]
    fn functions_have_names_and_no_imported_calls() {
        let bytes = module();
        let functions = WasmModule::read(&bytes).expect("a module").functions;
        let read: Vec<_> =
            functions.iter().map(|one| (one.name, one.bytes, one.is_in_table)).collect();
        assert_eq!(read, [("main", 6, true), ("last", 2, false)]);
        assert_eq!(functions[0].calls, BTreeSet::from([1]), "what is imported is left out");
        assert!(functions[1].calls.is_empty());
    }

    #[test]
    fn names_with_a_prefix_are_shortened() {
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
        assert_eq!(
            without_table_maximum(IMPORT, &[1, 0x70, 1, 0x80, 2, 0x80, 4]),
            [1, 0x70, 0, 0x80, 2]
        );
        assert_eq!(without_table_maximum(7, &[1, 1]), [1, 1]);
    }

    #[test]
    fn incomplete_modules_are_rejected() {
        let bytes = module();
        for end in 0..bytes.len() {
            let read = WasmModule::read(&bytes[..end]);
            assert!(
                read.is_none_or(|module| module.functions.len() != 2 || end > HEADER_BYTES),
                "{end}"
            );
        }
        assert!(WasmModule::read(&bytes[..bytes.len() - 1]).is_none());
    }

    #[test]
    fn names_do_not_depend_on_the_build() {
        for (name, expected) in [
            ("core[c5930c85a12de822]::mem::swap::<[u8; 4]>", "core::mem::swap::<[u8; 4]>"),
            ("bindpose_page::ui.llvm.123", "bindpose_page::ui"),
            ("a::b.1343", "a::b"),
            ("<a::C>::drop[1]", "<a::C>::drop"),
            ("__multi3", "__multi3"),
        ] {
            assert_eq!(without_build(name), expected);
        }
    }
}
