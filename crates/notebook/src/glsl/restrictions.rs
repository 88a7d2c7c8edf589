//! Restrictions on a reader's shader, checked before it is compiled: it must not block the
//! machine, and not use features that differ between drivers.

use super::loop_bounds;
use super::loop_bounds::{GlslToken, tokenize};
use crate::ShaderFinding;

/// Maximum nesting depth. Deeper brackets overflow the stack of some compilers.
const MAX_BRACKET_DEPTH: usize = 64;
/// Maximum length of a statement. Longer ones overflow the stack of some compilers.
const MAX_STATEMENT_TOKENS: usize = 600;
/// Maximum number of iterations and calls for all vertices of a picture, which take about a
/// second with software GL.
const MAX_PICTURE_TURNS: u64 = 40_000_000;

/// Checks whether a text may be compiled. Returns the number of iterations and calls for one
/// vertex.
///
/// # Errors
///
/// Returns all violated restrictions.
pub fn accept(source: &str) -> Result<u64, Vec<ShaderFinding>> {
    let tokens = tokenize(source);
    let mut findings = check_directives(&tokens);
    findings.extend(check_characters(source));
    findings.extend(check_nesting(&tokens));
    if !has_main(&tokens) {
        findings
            .push(ShaderFinding::of_all("There is no main. A shader begins at “void main() {”."));
    }
    if findings.is_empty() { loop_bounds::count_turns(&tokens) } else { Err(findings) }
}

/// Returns a finding if `turns` iterations and calls for each of `vertices` vertices exceed
/// `MAX_PICTURE_TURNS`.
pub fn too_long(turns: u64, vertices: usize) -> Option<ShaderFinding> {
    let all = turns.saturating_mul(vertices as u64);
    (all > MAX_PICTURE_TURNS).then(|| {
        ShaderFinding::of_all(format!(
            "The loops and functions take {turns} turns for each of {vertices} vertices; \
             a picture may take {MAX_PICTURE_TURNS} in all."
        ))
    })
}

/// Rejects all directives except `#define` of a number. `#version` and `#extension` are fixed,
/// other macros could hide a loop, and conditions would change the counted code.
fn check_directives(tokens: &[GlslToken<'_>]) -> Vec<ShaderFinding> {
    let mut findings = Vec::new();
    for token in tokens {
        let Some(directive) = token.text.strip_prefix('#') else {
            continue;
        };
        let mut words = directive.split_whitespace();
        let name = words.next().unwrap_or_default();
        let sound = match name {
            "" => true,
            "define" => {
                let rest: Vec<&str> = words.collect();
                directive.is_ascii()
                    && matches!(rest.as_slice(), [name, value] if is_name(name) && is_number(value))
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
            findings.push(ShaderFinding::at(token.line, text));
        }
    }
    findings
}

fn is_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text).trim_end_matches(['u', 'U', 'f', 'F']);
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') && digits.parse::<f64>().is_ok()
}

/// Rejects characters that drivers treat differently, outside of comments, and lines continued
/// with a backslash.
fn check_characters(source: &str) -> Vec<ShaderFinding> {
    let mut findings = Vec::new();
    let mut in_block = false;
    for (index, line) in source.lines().enumerate() {
        let code = without_comments(line, &mut in_block);
        if line.trim_end().ends_with('\\') {
            let text = "A line cannot go on after a backslash here.";
            findings.push(ShaderFinding::at(index + 1, text));
        } else if line.contains('\r') {
            // Some drivers end the line there, and with it a comment.
            let text = "A carriage return without a line feed is not for here.";
            findings.push(ShaderFinding::at(index + 1, text));
        } else if code.trim_start().starts_with('#') {
            // `check_directives` has checked the line.
        } else if let Some(odd) = code
            .chars()
            .find(|&c| !c.is_ascii() || (c.is_control() && c != '\t') || "\\`@$\"'".contains(c))
        {
            let text = format!("“{odd}” is not a sign of GLSL.");
            findings.push(ShaderFinding::at(index + 1, text));
        }
    }
    findings
}

/// Returns the line without comments. `in_block` is whether a block comment continues.
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
        let Some(at) = block.filter(|&at| at < to_end) else {
            out.push_str(&rest[..to_end]);
            return out;
        };
        out.push_str(&rest[..at]);
        *in_block = true;
        rest = &rest[at + 2..];
    }
}

fn check_nesting(tokens: &[GlslToken<'_>]) -> Option<ShaderFinding> {
    let mut depth = 0_usize;
    let mut length = 0;
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
        if depth > MAX_BRACKET_DEPTH {
            let text = format!("More than {MAX_BRACKET_DEPTH} brackets within brackets.");
            return Some(ShaderFinding::at(token.line, text));
        }
        if length > MAX_STATEMENT_TOKENS {
            let text = format!(
                "A statement of more than {MAX_STATEMENT_TOKENS} words and signs. Is a semicolon missing?"
            );
            return Some(ShaderFinding::at(token.line, text));
        }
    }
    None
}

fn has_main(tokens: &[GlslToken<'_>]) -> bool {
    tokens
        .windows(3)
        .any(|three| three[0].text == "void" && three[1].text == "main" && three[2].text == "(")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejections(source: &str) -> Vec<ShaderFinding> {
        accept(source).err().unwrap_or_default()
    }

    fn main(body: &str) -> String {
        format!("void main() {{\n{body}\n}}\n")
    }

    #[test]
    fn only_defines_of_numbers_are_accepted() {
        let sound = "#define N 4\n# define HALF -0.5f\n#\nvoid main() {}";
        assert_eq!(rejections(sound), []);
        for (line, word) in [
            ("#version 450", "3.30"),
            ("#extension GL_ARB_gpu_shader5 : enable", "#extension"),
            ("#include \"skin.glsl\"", "#include"),
            ("#define TURN while (true)", "#define"),
            ("#define F(x) x", "#define"),
            ("#define F(x) 4", "#define"),
            ("#define N --4", "#define"),
            ("#define ON", "#define"),
            ("#define\u{a0}N 4", "#define"),
            ("#if 1", "#if"),
            ("#ifdef N", "#ifdef"),
            ("#ifndef N", "#ifndef"),
            ("#elif 1", "#elif"),
            ("#else", "#else"),
            ("#endif", "#endif"),
            ("#undef N", "#undef"),
            ("#pragma optimize(off)", "#pragma"),
            ("  # line 7", "#line"),
        ] {
            let findings = rejections(&format!("float a;\n{line}\nvoid main() {{}}"));
            assert_eq!(findings.len(), 1, "{line}");
            assert_eq!(findings[0].line, Some(2), "{line}");
            assert!(findings[0].message.contains(word), "{line}: {findings:?}");
        }
    }

    #[test]
    fn characters_outside_glsl_are_rejected_except_in_comments() {
        assert_eq!(rejections(&main("// naïve “é” $\n/* → \n ü */ float a = 1.0;")), []);
        for (body, odd) in [("a = b − c;", "−"), ("x = 'y';", "'"), ("a = \u{7f};", "\u{7f}")] {
            let findings = rejections(&main(body));
            assert_eq!(findings[0].line, Some(2));
            assert!(findings[0].message.contains(odd), "{findings:?}");
        }
        assert!(
            rejections(&main("// to be \\\n while (true) {}"))[0].message.contains("backslash")
        );
    }

    #[test]
    fn lone_carriage_return_is_rejected_even_in_a_comment() {
        assert_eq!(rejections("// a\r\nvoid main() {}\r\n"), []);
        for text in [
            "float a;\n// b\rwhile (true) {}\nvoid main() {}",
            "float a;\n#define N 4\r#define M 5\nvoid main() {}",
            "float a;\nvoid main() {} // b\r\r\n",
            "float a;\nvoid main() {}\r",
        ] {
            let findings = rejections(text);
            assert!(
                findings.iter().any(|f| f.line == Some(2) && f.message.contains("carriage return")),
                "{text:?}: {findings:?}"
            );
        }
    }

    #[test]
    fn deep_nesting_and_long_statements_are_rejected() {
        let deep = format!("float a = {}1.0{};", "(".repeat(100), ")".repeat(100));
        assert!(rejections(&main(&deep))[0].message.contains("brackets"));
        let long = format!("float a = {}1.0;", "1.0 + ".repeat(1000));
        assert!(rejections(&main(&long))[0].message.contains("semicolon"));
    }

    #[test]
    fn text_without_main_is_rejected() {
        assert!(rejections("")[0].message.contains("main"));
        assert!(rejections("// void main() {}")[0].message.contains("main"));
    }

    #[test]
    fn too_many_turns_for_the_vertices_are_rejected() {
        let text = main("for (int i = 0; i < 1000; i++) { gl_Position.x += 1.0; }");
        let turns = accept(&text).unwrap();
        assert_eq!(turns, 1000);
        assert_eq!(too_long(turns, 1000), None);
        let finding = too_long(turns, 1_000_000).unwrap();
        assert!(finding.message.contains("1000000 vertices"), "{finding:?}");
    }
}
