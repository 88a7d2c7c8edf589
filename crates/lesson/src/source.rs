//! Where in a file something stands.

use std::cell::Cell;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};

/// Longer texts are refused.
pub(crate) const MAX_BYTES: usize = 512 * 1024;

/// A text with its file name, which can tell lines and columns of byte offsets.
pub(crate) struct LessonSource<'a> {
    pub(crate) file: String,
    pub(crate) text: &'a str,
    line_starts: Vec<usize>,
    /// The last place asked for: most are asked for in order, and lines may be
    /// long.
    last: Cell<(usize, LineColumn)>,
    /// Of a text that stands within another: the places there, by byte.
    within: Option<Vec<LineColumn>>,
}

impl<'a> LessonSource<'a> {
    pub(crate) fn new(file: String, text: &'a str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            file,
            text,
            line_starts: std::iter::once(0).chain(ends).collect(),
            last: Cell::default(),
            within: None,
        }
    }

    /// A text that is written in this one, perhaps in other characters: `places` are
    /// those of its bytes and of its end.
    pub(crate) fn part<'p>(&self, text: &'p str, places: Vec<LineColumn>) -> LessonSource<'p> {
        LessonSource { within: Some(places), ..LessonSource::new(self.file.clone(), text) }
    }

    /// Line and column of a byte offset; past the end counts as the end.
    pub(crate) fn at(&self, offset: usize) -> LineColumn {
        let offset = offset.min(self.text.len());
        if let Some(places) = &self.within {
            let place = places.get(offset).or(places.last());
            return place.copied().unwrap_or_default();
        }
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start =
            line.checked_sub(1).and_then(|index| self.line_starts.get(index)).copied().unwrap_or(0);
        let (last_offset, last) = self.last.get();
        let (from, column) = if last.line == line && (start..=offset).contains(&last_offset) {
            (last_offset, last.column)
        } else {
            (start, 1)
        };
        let between = self.text.get(from..).unwrap_or_default();
        let chars = between.char_indices().take_while(|&(at, _)| from + at < offset).count();
        let at = LineColumn { line, column: column + chars };
        if self.text.is_char_boundary(offset) {
            self.last.set((offset, at));
        }
        at
    }

    /// What is wrong, at a byte offset, where the formula begins if it is a
    /// character of one.
    pub(crate) fn error(&self, offset: usize, wrong: Diagnostic) -> Diagnostic {
        let at = self.at(offset);
        let at = match wrong.at {
            Place::Character(character) => at.right(character.saturating_sub(1)),
            _ => at,
        };
        wrong.at(Place::text(&self.file, at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let source = LessonSource::new("f.md".to_owned(), "aé\nxyz\n");
        let at = |offset| {
            let LineColumn { line, column } = source.at(offset);
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
}
