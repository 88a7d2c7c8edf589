//! Products of named matrices, in lessons, links and exercises.

use std::fmt;

use bindpose_diagnostic::Diagnostic;

use super::MatrixRef;

/// Maximum number of factors, so that readers can follow the product and links stay short.
pub const MAX_FACTORS: usize = 8;

/// An empty place in the text of a product.
const BLANK: &str = "?";
const INVERSE: &str = "inverse";
const TRANSPOSE: &str = "transpose";
/// Maximum length of the text. Eight names of joints with 200 characters each fit.
const MAX_BYTES: usize = 8_000;

/// A factor of a product.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Factor {
    pub matrix: MatrixRef,
    /// Whether the inverse is used.
    pub inverted: bool,
    /// Whether the transpose is used.
    pub transposed: bool,
}

impl From<MatrixRef> for Factor {
    fn from(matrix: MatrixRef) -> Self {
        Self { matrix, inverted: false, transposed: false }
    }
}

/// Factors from left to right, at most [`MAX_FACTORS`]. `None` is an empty place. A product
/// without factors is the identity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MatrixProduct(pub Vec<Option<Factor>>);

impl MatrixProduct {
    /// Returns all factors, or `None` if a place is empty.
    pub fn filled(&self) -> Option<Vec<&Factor>> {
        self.0.iter().map(Option::as_ref).collect()
    }

    /// Returns the product with the last `blanks` places empty.
    #[must_use]
    pub fn with_blanks(&self, blanks: usize) -> Self {
        let mut product = self.clone();
        let kept = product.0.len().saturating_sub(blanks);
        product.0[kept..].fill(None);
        product
    }
}

/// Parses `world_from_joint(1) * inverse(world_from_joint(0)) * ?`. An empty text is the
/// product without factors.
impl TryFrom<String> for MatrixProduct {
    type Error = Diagnostic;

    fn try_from(text: String) -> Result<Self, Diagnostic> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        if text.len() > MAX_BYTES {
            let expected = format!("a product of at most {MAX_BYTES} bytes");
            return Err(Diagnostic::expected(expected, text.len().to_string()));
        }
        let places = split_factors(&text);
        if places.len() > MAX_FACTORS {
            let expected = format!("at most {MAX_FACTORS} factors");
            let error = Diagnostic::expected(expected, places.len().to_string());
            return Err(error.help("leave some out"));
        }
        places.into_iter().map(parse_place).collect::<Result<_, _>>().map(Self)
    }
}

fn parse_place(text: &str) -> Result<Option<Factor>, Diagnostic> {
    if text == BLANK {
        return Ok(None);
    }
    parse_factor(text).map(Some)
}

fn parse_factor(text: &str) -> Result<Factor, Diagnostic> {
    for (function, inverts) in [(INVERSE, true), (TRANSPOSE, false)] {
        if let Some(inner) = argument_of(function, text) {
            // Recursion is safe: each call shortens a text of limited length.
            let mut factor = parse_factor(inner)?;
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

/// Splits at the asterisks outside parentheses and quotes.
fn split_factors(text: &str) -> Vec<&str> {
    let mut depth = 0_u32;
    let mut quoted = false;
    let mut start = 0;
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

/// Writes the text that parses to the factor.
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

/// Writes the text that parses to the product.
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
    fn parses_and_formats_products() {
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
    fn reports_malformed_products() {
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
    fn blanks_replace_the_last_factors() {
        let product = read("world_from_joint(1) * joint_from_bind(1)").unwrap();
        let blank = |count| product.with_blanks(count).to_string();
        assert_eq!(blank(0), product.to_string());
        assert_eq!(blank(1), "world_from_joint(1) * ?");
        assert_eq!(blank(2), "? * ?");
        assert_eq!(blank(9), "? * ?");
    }

    proptest! {
        #[test]
        fn formatting_and_parsing_are_inverse(
            text in "((inverse|transpose)\\(){0,3}(world_from_joint|skin_matrix)\\([a-z0-9'* ]{1,6}\\)\\){0,3}( ?\\* ?[?a-z]{1,3})?"
        ) {
            if let Ok(product) = read(&text) {
                prop_assert_eq!(read(&product.to_string()), Ok(product));
            }
        }
    }
}
