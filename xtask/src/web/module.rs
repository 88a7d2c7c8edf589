//! As much of a WebAssembly module as naming its functions takes: sections, names
//! and exports.

/// Kinds of sections.
const CUSTOM: u8 = 0;
const IMPORT: u8 = 2;
const EXPORT: u8 = 7;
const CODE: u8 = 10;
/// Of imports and exports.
const FUNCTION: u8 = 0;
const TABLE: u8 = 1;
/// Before the sections: a magic number and the version.
const HEAD: usize = 8;

/// A module.
pub(super) struct Module<'b> {
    bytes: &'b [u8],
    /// Kind, and the bytes with and without their head: start, start, end.
    sections: Vec<(u8, [usize; 3])>,
}

impl<'b> Module<'b> {
    /// `None`: it is cut off, or none at all.
    pub(super) fn read(bytes: &'b [u8]) -> Option<Self> {
        let mut sections = Vec::new();
        let mut reader = Reader { bytes, at: HEAD };
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

    fn section(&self, wanted: u8) -> Option<Reader<'b>> {
        let found = self.sections.iter().find(|(kind, _)| *kind == wanted);
        found.map(|&(_, [_, at, end])| Reader {
            bytes: &self.bytes[..end],
            at,
        })
    }

    fn imported_functions(&self) -> Option<usize> {
        let mut reader = self.section(IMPORT)?;
        let mut count = 0;
        for _ in 0..reader.number()? {
            reader.name()?;
            reader.name()?;
            // wasm-bindgen leaves memories, tables and globals inside.
            if reader.byte()? != FUNCTION {
                return None;
            }
            reader.number()?;
            count += 1;
        }
        Some(count)
    }

    /// Number and name of each function that has one.
    fn names(&self) -> Option<Vec<(usize, String)>> {
        let custom = self.sections.iter().filter(|(kind, _)| *kind == CUSTOM);
        for &(_, [_, at, end]) in custom {
            let bytes = &self.bytes[..end];
            let mut reader = Reader { bytes, at };
            if reader.name()? != b"name" {
                continue;
            }
            while reader.at < end {
                let kind = reader.byte()?;
                let length = reader.number()?;
                let next = reader.at + length;
                if kind == 1 {
                    return reader.name_map();
                }
                reader.at = next;
            }
        }
        None
    }
}

/// The module with its functions called by numbers, and the new names of those that
/// `is_later`, by their old ones. Other names are left out.
pub(super) fn with_short_names(
    module: &Module<'_>,
    is_later: impl Fn(&str) -> bool,
) -> (Vec<u8>, Vec<String>) {
    let imported = module.imported_functions().unwrap_or(0);
    let own = module.section(CODE).and_then(|mut code| code.number());
    let names = module.names().unwrap_or_default();
    let mut later = Vec::new();
    let mut map = Vec::new();
    for number in imported..imported + own.unwrap_or(0) {
        let old = names.binary_search_by_key(&number, |(number, _)| *number);
        let name = format!("f{number}");
        put_number(&mut map, number);
        put_bytes(&mut map, name.as_bytes());
        if old.is_ok_and(|at| is_later(&names[at].1)) {
            later.push(name);
        }
    }
    let mut count = Vec::new();
    put_number(&mut count, own.unwrap_or(0));
    let mut section = Vec::new();
    put_bytes(&mut section, b"name");
    section.push(1);
    put_bytes(&mut section, &[count, map].concat());

    let mut out = module.bytes[..HEAD].to_vec();
    for &(kind, [start, _, end]) in &module.sections {
        if kind != CUSTOM {
            out.extend(&module.bytes[start..end]);
        }
    }
    out.push(CUSTOM);
    put_bytes(&mut out, &section);
    (out, later)
}

/// The module without names and whatever else does not run.
pub(super) fn stripped(module: &Module<'_>) -> Vec<u8> {
    let mut out = module.bytes[..HEAD].to_vec();
    for &(kind, [start, _, end]) in &module.sections {
        if kind != CUSTOM {
            out.extend(&module.bytes[start..end]);
        }
    }
    out
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
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

    fn name(&mut self) -> Option<&'b [u8]> {
        let length = self.number()?;
        let name = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(name)
    }

    fn name_map(&mut self) -> Option<Vec<(usize, String)>> {
        let mut names = Vec::new();
        for _ in 0..self.number()? {
            let number = self.number()?;
            let name = String::from_utf8_lossy(self.name()?).into_owned();
            names.push((number, name));
        }
        Some(names)
    }
}

fn put_number(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len());
    out.extend(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two functions, an imported one, a table that is exported, and names.
    fn module() -> Vec<u8> {
        let mut out = b"\0asm\x01\0\0\0".to_vec();
        let mut section = |kind: u8, bytes: &[u8]| {
            out.push(kind);
            put_bytes(&mut out, bytes);
        };
        section(1, &[1, 0x60, 0, 0]);
        section(IMPORT, b"\x01\x01a\x01b\0\0");
        section(3, &[2, 0, 0]);
        section(4, &[1, 0x70, 0, 1]);
        section(EXPORT, b"\x01\x01t\x01\0");
        section(CODE, &[2, 2, 0, 0x0b, 2, 0, 0x0b]);
        section(CUSTOM, b"\x04name\x01\x0f\x02\x01\x04main\x02\x06doctor");
        out
    }

    #[test]
    fn functions_get_short_names_and_those_of_later_are_told() {
        let bytes = module();
        let read = Module::read(&bytes).expect("a module");
        let (named, later) = with_short_names(&read, |name| name.contains("doctor"));
        assert_eq!(later, ["f2"]);
        let again = Module::read(&named).expect("a module");
        let names = again.names().expect("names");
        assert_eq!(names, [(1, "f1".to_owned()), (2, "f2".to_owned())]);
        assert_eq!(again.table_export("t"), Some(0));
        assert!(
            Module::read(&stripped(&again))
                .expect("a module")
                .names()
                .is_none()
        );
    }

    #[test]
    fn what_is_cut_off_is_no_module() {
        let bytes = module();
        for end in 0..bytes.len() {
            let _ = Module::read(&bytes[..end]).and_then(|module| module.names());
        }
        assert!(Module::read(&bytes[..bytes.len() - 1]).is_none());
    }
}
