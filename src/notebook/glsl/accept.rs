//! What is refused before a driver sees it: a text that could hold the machine
//! up, or reach past what the page hands to it.

use super::loops;
use super::tokens::{Token, tokens};
use super::{Mistake, ShaderReport};

/// Deeper brackets overflow the stack of some compilers.
const DEEPEST: usize = 64;
/// So do longer statements.
const LONGEST_STATEMENT: usize = 600;
/// Turns of all loops and calls of functions, for all vertices of a picture:
/// about a second of software GL.
const MOST_TURNS: u64 = 40_000_000;

/// Why a text is not even compiled; no mistakes: it may be. `vertices` is how
/// many times it will run for one picture.
#[must_use]
pub fn accept(source: &str, vertices: usize) -> ShaderReport {
    let tokens = tokens(source);
    let mut mistakes = directives(&tokens);
    mistakes.extend(signs(source));
    mistakes.extend(nesting(&tokens));
    if !has_main(&tokens) {
        mistakes.push(Mistake::of_all(
            "There is no main. A shader begins at “void main() {”.",
        ));
    }
    if mistakes.is_empty() {
        mistakes = match loops::turns(&tokens) {
            Err(mistakes) => mistakes,
            Ok(turns) => too_long(turns, vertices).into_iter().collect(),
        };
    }
    ShaderReport {
        mistakes,
        notes: Vec::new(),
    }
}

fn too_long(turns: u64, vertices: usize) -> Option<Mistake> {
    let all = turns.saturating_mul(vertices as u64);
    (all > MOST_TURNS).then(|| {
        Mistake::of_all(format!(
            "The loops and functions take {turns} turns for each of {vertices} vertices; \
             a picture may take {MOST_TURNS} in all."
        ))
    })
}

/// Conditions and named numbers only: `#version` and `#extension` are given,
/// and other macros could hide a loop.
fn directives(tokens: &[Token<'_>]) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for token in tokens {
        let Some(directive) = token.text.strip_prefix('#') else {
            continue;
        };
        let mut words = directive.split_whitespace();
        let name = words.next().unwrap_or_default();
        let sound = match name {
            "if" | "ifdef" | "ifndef" | "elif" | "else" | "endif" | "undef" | "" => true,
            "define" => {
                let rest: Vec<&str> = words.collect();
                matches!(rest.as_slice(), [_, value] if is_number(value)) || rest.len() == 1
            }
            _ => false,
        };
        if !sound {
            let text = match name {
                "define" => {
                    "#define can name numbers here and nothing else; write a function.".to_owned()
                }
                "version" => {
                    "The version is given: GLSL 3.30, or GLSL ES 3.00 in browsers.".to_owned()
                }
                "extension" => {
                    "#extension is not for here: this page must draw on every machine.".to_owned()
                }
                "include" => "GLSL has no #include.".to_owned(),
                _ => format!("#{name} is not for here."),
            };
            mistakes.push(Mistake::at(token.line, text));
        }
    }
    mistakes
}

fn is_number(text: &str) -> bool {
    let digits = text
        .trim_start_matches('-')
        .trim_end_matches(['u', 'U', 'f', 'F']);
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') && digits.parse::<f64>().is_ok()
}

/// GLSL's own characters: drivers differ in what they do with others, and a
/// line that goes on after a backslash is read differently by each.
fn signs(source: &str) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    let mut in_block = false;
    for (index, line) in source.lines().enumerate() {
        let code = without_comments(line, &mut in_block);
        if line.trim_end().ends_with('\\') {
            let text = "A line cannot go on after a backslash here.";
            mistakes.push(Mistake::at(index + 1, text));
        } else if code.trim_start().starts_with('#') {
            // Looked at whole.
        } else if let Some(odd) = code
            .chars()
            .find(|&c| !c.is_ascii() || (c.is_control() && c != '\t') || "\\`@$\"'".contains(c))
        {
            let text = format!("“{odd}” is not a sign of GLSL.");
            mistakes.push(Mistake::at(index + 1, text));
        }
    }
    mistakes
}

fn without_comments(line: &str, in_block: &mut bool) -> String {
    let mut out = String::new();
    let mut rest = line;
    loop {
        if *in_block {
            let Some(end) = rest.find("*/") else {
                return out;
            };
            *in_block = false;
            rest = &rest[end + 2..];
        }
        let block = rest.find("/*");
        let to_end = rest.find("//").unwrap_or(rest.len());
        match block.filter(|&at| at < to_end) {
            Some(at) => {
                out.push_str(&rest[..at]);
                *in_block = true;
                rest = &rest[at + 2..];
            }
            None => {
                out.push_str(&rest[..to_end]);
                return out;
            }
        }
    }
}

fn nesting(tokens: &[Token<'_>]) -> Option<Mistake> {
    let (mut depth, mut length) = (0_usize, 0);
    for token in tokens {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        length = match token.text {
            ";" | "{" | "}" => 0,
            _ => length + 1,
        };
        if depth > DEEPEST {
            let text = format!("More than {DEEPEST} brackets within brackets.");
            return Some(Mistake::at(token.line, text));
        }
        if length > LONGEST_STATEMENT {
            let text = format!(
                "A statement of more than {LONGEST_STATEMENT} words and signs. Is a semicolon missing?"
            );
            return Some(Mistake::at(token.line, text));
        }
    }
    None
}

fn has_main(tokens: &[Token<'_>]) -> bool {
    tokens
        .windows(3)
        .any(|three| three[0].text == "void" && three[1].text == "main" && three[2].text == "(")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(source: &str) -> Vec<Mistake> {
        accept(source, 1000).mistakes
    }

    /// The body of a main.
    fn main(body: &str) -> String {
        format!("void main() {{\n{body}\n}}\n")
    }

    #[test]
    fn conditions_and_named_numbers_pass_other_directives_do_not() {
        let sound =
            "#define N 4\n#define HALF -0.5f\n#define ON\n#ifdef ON\n#endif\nvoid main() {}";
        assert_eq!(refused(sound), []);
        for (line, word) in [
            ("#version 450", "3.30"),
            ("#extension GL_ARB_gpu_shader5 : enable", "#extension"),
            ("#include \"skin.glsl\"", "#include"),
            ("#define TURN while (true)", "#define"),
            ("#define F(x) x", "#define"),
            ("#pragma optimize(off)", "#pragma"),
            ("  # line 7", "#line"),
        ] {
            let mistakes = refused(&format!("float a;\n{line}\nvoid main() {{}}"));
            assert_eq!(mistakes.len(), 1, "{line}");
            assert_eq!(mistakes[0].line, Some(2), "{line}");
            assert!(mistakes[0].text.contains(word), "{line}: {mistakes:?}");
        }
    }

    #[test]
    fn signs_that_are_not_glsl_are_named_with_their_line_but_comments_are_free() {
        assert_eq!(
            refused(&main("// naïve “é” $\n/* → \n ü */ float a = 1.0;")),
            []
        );
        for (body, odd) in [
            ("a = b − c;", "−"),
            ("x = 'y';", "'"),
            ("a = \u{7f};", "\u{7f}"),
        ] {
            let mistakes = refused(&main(body));
            assert_eq!(mistakes[0].line, Some(2));
            assert!(mistakes[0].text.contains(odd), "{mistakes:?}");
        }
        assert!(
            refused(&main("// to be \\\n while (true) {}"))[0]
                .text
                .contains("backslash")
        );
    }

    #[test]
    fn what_overflows_a_compiler_is_refused() {
        let deep = format!("float a = {}1.0{};", "(".repeat(100), ")".repeat(100));
        assert!(refused(&main(&deep))[0].text.contains("brackets"));
        let long = format!("float a = {}1.0;", "1.0 + ".repeat(1000));
        assert!(refused(&main(&long))[0].text.contains("semicolon"));
    }

    #[test]
    fn a_text_without_main_is_refused() {
        assert!(refused("")[0].text.contains("main"));
        assert!(refused("// void main() {}")[0].text.contains("main"));
    }

    #[test]
    fn what_would_hold_the_picture_up_is_refused_by_the_number_of_vertices() {
        let text = main("for (int i = 0; i < 1000; i++) { gl_Position.x += 1.0; }");
        assert_eq!(accept(&text, 1000).mistakes, []);
        let mistakes = accept(&text, 1_000_000).mistakes;
        assert!(
            mistakes[0].text.contains("1000000 vertices"),
            "{mistakes:?}"
        );
    }
}
