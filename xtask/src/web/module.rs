//! As much of a WebAssembly module as dividing and measuring it takes: sections, the
//! tables that it exports, and how long the code of each function is.

use std::collections::HashMap;

/// Kinds of sections.
const CUSTOM: u8 = 0;
const IMPORT: u8 = 2;
const EXPORT: u8 = 7;
const CODE: u8 = 10;
/// Of the parts of the section of names.
const FUNCTION_NAMES: u8 = 1;
/// Of exports.
const TABLE: u8 = 1;
/// Before the sections: a magic number and the version.
const HEAD: usize = 8;

/// A module.
pub(super) struct WasmModule<'b> {
    bytes: &'b [u8],
    /// Kind, and the bytes with and without their head: start, start, end.
    sections: Vec<(u8, [usize; 3])>,
}

impl<'b> WasmModule<'b> {
    /// `None`: it is cut off, or none at all.
    pub(super) fn read(bytes: &'b [u8]) -> Option<Self> {
        let mut sections = Vec::new();
        let mut reader = ByteReader { bytes, at: HEAD };
        if !bytes.starts_with(b"\0asm") {
            return None;
        }
        while reader.at < bytes.len() {
            let start = reader.at;
            let kind = reader.byte()?;
            let length = reader.number()?;
            let end = reader.at.checked_add(length)?;
            sections.push((kind, [start, reader.at, end]));
            reader.at = end;
        }
        (reader.at == bytes.len()).then_some(Self { bytes, sections })
    }

    /// The number of a table that is exported under this name.
    pub(super) fn table_export(&self, name: &str) -> Option<u8> {
        Some(self.bytes[self.table_export_at(name)?])
    }

    /// Where that number stands; it takes one byte.
    pub(super) fn table_export_at(&self, name: &str) -> Option<usize> {
        let mut reader = self.section(EXPORT)?;
        for _ in 0..reader.number()? {
            let found = reader.name()? == name.as_bytes();
            let kind = reader.byte()?;
            let at = reader.at;
            let number = reader.number()?;
            if found && kind == TABLE && number < 0x80 {
                return Some(at);
            }
        }
        None
    }

    /// Each function of the module's own, in order: its name, empty where it has none,
    /// and how many bytes its code takes.
    ///
    /// `None`: the module lacks one of the sections, or they cannot be read.
    pub(super) fn code_sizes(&self) -> Option<Vec<(&'b str, u64)>> {
        let imported = self.imported_functions()?;
        let names = self.function_names()?;
        let mut reader = self.section(CODE)?;
        let mut sizes = Vec::new();
        for index in 0..reader.number()? {
            let length = reader.number()?;
            reader.at = reader.at.checked_add(length)?;
            let name = names.get(&(imported + index)).copied().unwrap_or_default();
            sizes.push((name, length as u64));
        }
        Some(sizes)
    }

    /// Their numbers come before those of the module's own.
    fn imported_functions(&self) -> Option<usize> {
        let Some(mut reader) = self.section(IMPORT) else { return Some(0) };
        let mut functions = 0;
        for _ in 0..reader.number()? {
            reader.name()?;
            reader.name()?;
            match reader.byte()? {
                0 => {
                    reader.number()?;
                    functions += 1;
                }
                // A table: of what, and its limits.
                1 => {
                    reader.byte()?;
                    reader.limits()?;
                }
                2 => reader.limits()?,
                // A global: of what, and whether it changes.
                3 => {
                    reader.byte()?;
                    reader.byte()?;
                }
                _ => return None,
            }
        }
        Some(functions)
    }

    fn function_names(&self) -> Option<HashMap<usize, &'b str>> {
        let customs = self.sections.iter().filter(|(kind, _)| *kind == CUSTOM);
        let mut reader = customs
            .map(|&(_, [_, at, end])| ByteReader { bytes: &self.bytes[..end], at })
            .find_map(|mut reader| (reader.name()? == b"name").then_some(reader))?;
        loop {
            let kind = reader.byte()?;
            let length = reader.number()?;
            if kind == FUNCTION_NAMES {
                break;
            }
            reader.at = reader.at.checked_add(length)?;
        }
        let mut names = HashMap::new();
        for _ in 0..reader.number()? {
            let index = reader.number()?;
            names.insert(index, std::str::from_utf8(reader.name()?).ok()?);
        }
        Some(names)
    }

    fn section(&self, wanted: u8) -> Option<ByteReader<'b>> {
        let found = self.sections.iter().find(|(kind, _)| *kind == wanted);
        found.map(|&(_, [_, at, end])| ByteReader { bytes: &self.bytes[..end], at })
    }
}

/// The module without names and whatever else does not run.
pub(super) fn stripped(module: &WasmModule<'_>) -> Vec<u8> {
    let mut out = module.bytes[..HEAD].to_vec();
    for &(kind, [start, _, end]) in &module.sections {
        if kind != CUSTOM {
            out.extend(&module.bytes[start..end]);
        }
    }
    out
}

struct ByteReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> ByteReader<'b> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// LEB128.
    fn number(&mut self) -> Option<usize> {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            value |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
            shift += 7;
            if shift > 28 {
                return None;
            }
        }
    }

    /// The least, and where the first bit is set the most.
    fn limits(&mut self) -> Option<()> {
        let flags = self.byte()?;
        self.number()?;
        if flags & 1 == 1 {
            self.number()?;
        }
        Some(())
    }

    fn name(&mut self) -> Option<&'b [u8]> {
        let length = self.number()?;
        let name = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function, a table that is exported, and names.
    fn module() -> Vec<u8> {
        let mut out = b"\0asm\x01\0\0\0".to_vec();
        let mut section = |kind: u8, bytes: &[u8]| {
            out.push(kind);
            out.push(bytes.len() as u8);
            out.extend(bytes);
        };
        section(1, &[1, 0x60, 0, 0]);
        section(3, &[1, 0]);
        section(4, &[2, 0x70, 0, 1, 0x6f, 0, 1]);
        section(EXPORT, b"\x01\x01t\x01\x01");
        section(10, &[1, 2, 0, 0x0b]);
        section(CUSTOM, b"\x04name\x01\x07\x01\0\x04main");
        out
    }

    #[test]
    fn a_table_is_found_and_names_are_left_out() {
        let bytes = module();
        let read = WasmModule::read(&bytes).expect("a module");
        assert_eq!(read.table_export("t"), Some(1));
        assert_eq!(read.table_export("u"), None);
        let bare = stripped(&read);
        assert!(bytes.starts_with(&bare) && !bare.ends_with(b"main"));
        let read = WasmModule::read(&bare).expect("a module");
        assert_eq!(read.table_export("t"), Some(1));
    }

    #[test]
    fn functions_are_measured_by_name_behind_what_is_imported() {
        let bytes = module();
        let sizes = WasmModule::read(&bytes).and_then(|module| module.code_sizes());
        assert_eq!(sizes, Some(vec![("main", 2)]));
        // A function, a table and a memory from elsewhere: `main` is the second function.
        let import = b"\x03\0\x01f\0\0\0\x01t\x01\x70\0\x01\0\x01m\x02\x01\x01\x02";
        let mut imports = vec![IMPORT, import.len() as u8];
        imports.extend(import);
        let mut bytes = module();
        bytes.splice(HEAD..HEAD, imports);
        let at = bytes.len() - b"\0\x04main".len();
        bytes[at] = 1;
        let sizes = WasmModule::read(&bytes).and_then(|module| module.code_sizes());
        assert_eq!(sizes, Some(vec![("main", 2)]));
        assert_eq!(
            WasmModule::read(&stripped(&WasmModule::read(&bytes).expect("a module")))
                .and_then(|module| module.code_sizes()),
            None
        );
    }

    #[test]
    fn what_is_cut_off_is_no_module() {
        let bytes = module();
        for end in 0..bytes.len() {
            let _ = WasmModule::read(&bytes[..end]).and_then(|module| module.table_export("t"));
        }
        assert!(WasmModule::read(&bytes[..bytes.len() - 1]).is_none());
    }
}
