//! Where in a file something stands.

use std::cell::Cell;

use super::{Finding, Severity};

/// A place in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

impl At {
    /// So many characters further right in the same line.
    #[must_use]
    pub fn right(self, chars: usize) -> Self {
        Self {
            column: self.column + chars,
            ..self
        }
    }
}

/// A text with its file name, which can tell lines and columns of byte offsets.
pub(crate) struct Source<'a> {
    pub(crate) file: String,
    pub(crate) text: &'a str,
    line_starts: Vec<usize>,
    /// The last place asked for: most are asked for in order, and lines may be
    /// long.
    last: Cell<(usize, At)>,
}

impl<'a> Source<'a> {
    pub(crate) fn new(file: String, text: &'a str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            file,
            text,
            line_starts: std::iter::once(0).chain(ends).collect(),
            last: Cell::default(),
        }
    }

    /// Line and column of a byte offset; past the end counts as the end.
    pub(crate) fn at(&self, offset: usize) -> At {
        let offset = offset.min(self.text.len());
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = line
            .checked_sub(1)
            .and_then(|index| self.line_starts.get(index))
            .copied()
            .unwrap_or(0);
        let (last_offset, last) = self.last.get();
        let (from, column) = if last.line == line && (start..=offset).contains(&last_offset) {
            (last_offset, last.column)
        } else {
            (start, 1)
        };
        let between = self.text.get(from..).unwrap_or_default();
        let chars = between
            .char_indices()
            .take_while(|&(at, _)| from + at < offset)
            .count();
        let at = At {
            line,
            column: column + chars,
        };
        if self.text.is_char_boundary(offset) {
            self.last.set((offset, at));
        }
        at
    }

    /// An error at a byte offset.
    pub(crate) fn error(
        &self,
        offset: usize,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Finding {
        Finding::error(&self.file, self.at(offset), message, help)
    }
}

impl Finding {
    /// An error.
    #[must_use]
    pub fn error(file: &str, at: At, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            file: file.to_owned(),
            line: at.line,
            column: at.column,
            message: message.into(),
            help: help.into(),
        }
    }

    /// A warning.
    #[must_use]
    pub fn warning(
        file: &str,
        at: At,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(file, at, message, help)
        }
    }
}

impl std::fmt::Display for Severity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// `20-bind-pose/lesson.md:12:5: error: …`, and in a second line the help.
impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            severity,
            file,
            line,
            column,
            message,
            help,
        } = self;
        write!(f, "{file}:{line}:{column}: {severity}: {message}")?;
        if help.is_empty() {
            return Ok(());
        }
        write!(f, "\n  help: {help}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let source = Source::new("f.md".to_owned(), "aé\nxyz\n");
        let at = |offset| {
            let At { line, column } = source.at(offset);
            (line, column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(3), (1, 3), "é is two bytes and one column");
        assert_eq!(at(4), (2, 1));
        assert_eq!(at(7), (2, 4));
        assert_eq!(at(8), (3, 1));
        assert_eq!(at(999), (3, 1));
        assert_eq!(at(6), (2, 3));
        assert_eq!(at(7), (2, 4), "from the place before");
        assert_eq!(at(5), (2, 2), "and backwards");
        assert_eq!(at(2), (1, 3), "within a character: after it");
    }

    #[test]
    fn a_finding_prints_as_compilers_do() {
        let finding = Finding::error(
            "d/lesson.md",
            At {
                line: 12,
                column: 5,
            },
            "no",
            "write yes",
        );
        assert_eq!(
            finding.to_string(),
            "d/lesson.md:12:5: error: no\n  help: write yes"
        );
    }
}
