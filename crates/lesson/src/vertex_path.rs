//! A path along the vertices of a mesh, as a plot writes it: `[[49, 72], 3]`.

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::keyed;

/// Longer paths are refused.
pub const MAX_PATH: usize = 10_000;

/// A vertex, or all from one to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathPart {
    /// By its number.
    Vertex(u32),
    /// From the first to the last by number, either way.
    Run(u32, u32),
}

keyed! {
    /// What the axis of a path counts.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum PathMeasure {
        /// How long it is up to there, along the stored vertices.
        #[default]
        Length = "length",
        /// How many vertices come before.
        Number = "number",
    }
}

impl PathPart {
    /// The largest number in it.
    pub fn last(self) -> u32 {
        match self {
            Self::Vertex(vertex) => vertex,
            Self::Run(first, last) => first.max(last),
        }
    }

    /// How many vertices it has.
    pub fn count(self) -> usize {
        match self {
            Self::Vertex(_) => 1,
            Self::Run(first, last) => first.abs_diff(last) as usize + 1,
        }
    }

    /// Their numbers, in order.
    pub fn vertices(self) -> impl Iterator<Item = u32> {
        let (first, last) = match self {
            Self::Vertex(vertex) => (vertex, vertex),
            Self::Run(first, last) => (first, last),
        };
        let back = first > last;
        (0..=first.abs_diff(last)).map(move |at| if back { first - at } else { first + at })
    }
}

impl TryFrom<toml::Value> for PathPart {
    type Error = Diagnostic;

    fn try_from(written: toml::Value) -> Result<Self, Diagnostic> {
        let vertex = |value: &toml::Value| u32::try_from(value.as_integer()?).ok();
        let part = match &written {
            toml::Value::Array(ends) => match ends.as_slice() {
                [first, last] => vertex(first).zip(vertex(last)),
                _ => None,
            }
            .map(|(first, last)| Self::Run(first, last)),
            value => vertex(value).map(Self::Vertex),
        };
        part.ok_or_else(|| {
            Diagnostic::expected("the number of a vertex, or the first and the last of several", "")
                .help("write along = [[49, 72]], or along = [3, 9, 17]")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_either_way() {
        let numbers = |part: PathPart| part.vertices().collect::<Vec<u32>>();
        assert_eq!(numbers(PathPart::Run(3, 6)), [3, 4, 5, 6]);
        assert_eq!(numbers(PathPart::Run(2, 0)), [2, 1, 0]);
        assert_eq!(numbers(PathPart::Vertex(7)), [7]);
        assert_eq!(PathPart::Run(6, 3).count(), 4);
        assert_eq!(PathPart::Run(0, u32::MAX).count(), 1 << 32);
    }
}
