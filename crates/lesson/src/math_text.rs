//! TeX as a line of plain text, as near to what is seen as letters come.

/// `B_j^{-1}` becomes `B_j⁻¹`; what has no letters is left out.
pub fn math_text(tex: &str) -> String {
    let mut out = String::new();
    let mut rest = tex;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let name = rest.find(|c: char| !c.is_ascii_alphabetic());
                let (name, after) = rest.split_at(name.unwrap_or(rest.len()));
                rest = after;
                if name.is_empty() {
                    // `\,` is space, `\\` ends a row.
                    rest = rest.strip_prefix(|_: char| true).unwrap_or_default();
                    out.push(' ');
                } else if let Some((_, sign)) = SIGNS.iter().find(|(of, _)| *of == name) {
                    out.push_str(sign);
                } else if matches!(name, "begin" | "end") {
                    rest = rest.split_once('}').map_or("", |(_, after)| after);
                }
            }
            '^' => {
                let (raised, after) = argument(rest);
                rest = after;
                if let Some((_, sign)) = SUPERSCRIPTS.iter().find(|(of, _)| *of == raised) {
                    out.push_str(sign);
                } else {
                    out.push('^');
                    out.push_str(&math_text(raised));
                }
            }
            '-' => out.push('−'),
            '\'' => out.push('′'),
            '&' | '~' => out.push(' '),
            '{' | '}' => {}
            c => out.push(c),
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands in braces, or one character; and what follows.
fn argument(tex: &str) -> (&str, &str) {
    let Some(inside) = tex.strip_prefix('{') else {
        let length = tex.chars().next().map_or(0, char::len_utf8);
        return tex.split_at(length);
    };
    let mut depth = 1_usize;
    let end = inside.find(|c| {
        depth = match c {
            '{' => depth + 1,
            '}' => depth - 1,
            _ => depth,
        };
        depth == 0
    });
    end.map_or((inside, ""), |end| (&inside[..end], &inside[end + 1..]))
}

const SUPERSCRIPTS: [(&str, &str); 5] =
    [("-1", "⁻¹"), ("2", "²"), ("3", "³"), ("T", "ᵀ"), ("\\prime", "′")];

/// Other commands say how a thing looks, and are left out.
const SIGNS: [(&str, &str); 27] = [
    ("sum", "Σ"),
    ("cdot", "·"),
    ("times", "×"),
    ("leftarrow", "←"),
    ("rightarrow", "→"),
    ("to", "→"),
    ("ne", "≠"),
    ("neq", "≠"),
    ("le", "≤"),
    ("ge", "≥"),
    ("approx", "≈"),
    ("pm", "±"),
    ("ldots", "…"),
    ("dots", "…"),
    ("prime", "′"),
    ("quad", " "),
    ("qquad", " "),
    ("sqrt", "√"),
    ("alpha", "α"),
    ("theta", "θ"),
    ("varphi", "φ"),
    ("omega", "ω"),
    ("pi", "π"),
    ("sin", "sin "),
    ("cos", "cos "),
    ("det", "det "),
    ("in", "∈"),
];

#[cfg(test)]
mod tests {
    use super::math_text;

    #[test]
    fn formulas_become_a_line_that_can_be_read() {
        for (tex, text) in [
            (r"B_j^{-1}", "B_j⁻¹"),
            (r"S = \sum_j w_j\, M_j", "S = Σ_j w_j M_j"),
            (r"p_{\mathrm{joint}}", "p_joint"),
            (r"n' = \cos\theta \cdot n", "n′ = cos θ · n"),
            (r"\begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}", "1 0 0 1"),
            (r"2^{n+1}", "2^n+1"),
        ] {
            assert_eq!(math_text(tex), text, "{tex}");
        }
        for broken in ["{", "}", "\\", "^", "^{", "\\begin", "_"] {
            let _ = math_text(broken);
        }
    }
}
