//! Products of named matrices, as lessons, links and readers put them together.

use std::fmt;

use bindpose_diagnostic::Diagnostic;

use super::MatrixRef;

/// More factors are refused: a reader could not follow them, and links stay short.
pub const MOST_FACTORS: usize = 8;

/// What stands for a place that nobody has filled.
const BLANK: &str = "?";
const INVERSE: &str = "inverse";
const TRANSPOSE: &str = "transpose";
/// Longer texts are refused: names of joints have at most 200 characters.
const MOST_BYTES: usize = 8_000;

/// A matrix of a product.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Factor {
    /// Which.
    pub matrix: MatrixRef,
    /// Its inverse in its place.
    pub inverted: bool,
    /// Rows for columns.
    pub transposed: bool,
}

impl From<MatrixRef> for Factor {
    fn from(matrix: MatrixRef) -> Self {
        Self { matrix, inverted: false, transposed: false }
    }
}

/// Factors from left to right, at most [`MOST_FACTORS`]; `None` is a blank place. None
/// at all is the identity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MatrixProduct(pub Vec<Option<Factor>>);

impl MatrixProduct {
    /// All factors, where no place is blank.
    pub fn filled(&self) -> Option<Vec<&Factor>> {
        self.0.iter().map(Option::as_ref).collect()
    }

    /// The same with the last places blank, so many of them.
    #[must_use]
    pub fn with_blanks(&self, blanks: usize) -> Self {
        let left = self.0.len().saturating_sub(blanks);
        let places = self.0.iter().enumerate();
        let blank =
            |(place, factor): (usize, &Option<Factor>)| factor.clone().filter(|_| place < left);
        Self(places.map(blank).collect())
    }
}

/// `world_from_joint(1) * inverse(world_from_joint(0)) * ?`; nothing is the empty
/// product.
impl TryFrom<String> for MatrixProduct {
    type Error = Diagnostic;

    fn try_from(text: String) -> Result<Self, Diagnostic> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        if text.len() > MOST_BYTES {
            let expected = format!("a product of at most {MOST_BYTES} bytes");
            return Err(Diagnostic::expected(expected, text.len().to_string()));
        }
        let places = split(&text);
        if places.len() > MOST_FACTORS {
            let expected = format!("at most {MOST_FACTORS} factors");
            let wrong = Diagnostic::expected(expected, places.len().to_string());
            return Err(wrong.help("leave some out"));
        }
        places.into_iter().map(place).collect::<Result<_, _>>().map(Self)
    }
}

fn place(text: &str) -> Result<Option<Factor>, Diagnostic> {
    if text == BLANK {
        return Ok(None);
    }
    factor(text).map(Some)
}

fn factor(text: &str) -> Result<Factor, Diagnostic> {
    for (function, inverts) in [(INVERSE, true), (TRANSPOSE, false)] {
        if let Some(inner) = argument_of(function, text) {
            // Each call takes the name of a function off a text of bounded length.
            let mut factor = factor(inner)?;
            let switch = if inverts { &mut factor.inverted } else { &mut factor.transposed };
            *switch = !*switch;
            return Ok(factor);
        }
    }
    MatrixRef::try_from(text.to_owned()).map(Factor::from)
}

fn argument_of<'a>(function: &str, text: &'a str) -> Option<&'a str> {
    let rest = text.strip_prefix(function)?.trim_start();
    let inner = rest.strip_prefix('(')?.strip_suffix(')')?;
    Some(inner.trim())
}

/// At the asterisks that stand neither in parentheses nor in quotes.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut quoted, mut start) = (0_u32, false, 0);
    let mut places = Vec::new();
    for (at, character) in text.char_indices() {
        match character {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            '*' if !quoted && depth == 0 => {
                places.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    places.push(text[start..].trim());
    places
}

/// As it is read.
impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { matrix, inverted, transposed } = self;
        match (transposed, inverted) {
            (false, false) => write!(f, "{matrix}"),
            (false, true) => write!(f, "{INVERSE}({matrix})"),
            (true, false) => write!(f, "{TRANSPOSE}({matrix})"),
            (true, true) => write!(f, "{TRANSPOSE}({INVERSE}({matrix}))"),
        }
    }
}

/// As it is read.
impl fmt::Display for MatrixProduct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, factor) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str(" * ")?;
            }
            match factor {
                Some(factor) => write!(f, "{factor}")?,
                None => f.write_str(BLANK)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Result<MatrixProduct, Diagnostic> {
        MatrixProduct::try_from(text.to_owned())
    }

    #[test]
    fn products_are_read_and_written() {
        let text = "world_from_joint(1) * inverse(world_from_joint(neck)) * ? * transpose(inverse(skin_matrix(v2)))";
        let product = read(text).unwrap();
        assert_eq!(product.0.len(), 4);
        assert_eq!(product.to_string(), text);
        assert_eq!(product.filled(), None);
        let second = product.0[1].as_ref().unwrap();
        assert!(second.inverted && !second.transposed);
        assert_eq!(read("  ").unwrap(), MatrixProduct::default());
        let twice = read("inverse(inverse(world_from_mesh_node))").unwrap();
        assert_eq!(twice.to_string(), "world_from_mesh_node");
        let odd = read("joint_from_bind('a*b (c') * joint_from_bind(joint)").unwrap();
        assert_eq!(odd.0.len(), 2);
        assert_eq!(read(&odd.to_string()), Ok(odd));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, help) in [
            ("world_from_joint(1) *", "a matrix such as"),
            ("invert(world_from_joint(1))", "no matrix `invert`"),
            ("?*?*?*?*?*?*?*?*?", "at most 8"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.to_string().contains(help), "{text}: {error}");
        }
    }

    #[test]
    fn blanks_come_from_the_right() {
        let product = read("world_from_joint(1) * joint_from_bind(1)").unwrap();
        let blank = |count| product.with_blanks(count).to_string();
        assert_eq!(blank(0), product.to_string());
        assert_eq!(blank(1), "world_from_joint(1) * ?");
        assert_eq!(blank(2), "? * ?");
        assert_eq!(blank(9), "? * ?");
    }

    proptest! {
        #[test]
        fn what_is_read_is_written_so_that_it_is_read_again(
            text in "((inverse|transpose)\\(){0,3}(world_from_joint|skin_matrix)\\([a-z0-9'* ]{1,6}\\)\\){0,3}( ?\\* ?[?a-z]{1,3})?"
        ) {
            if let Ok(product) = read(&text) {
                prop_assert_eq!(read(&product.to_string()), Ok(product));
            }
        }
    }
}
