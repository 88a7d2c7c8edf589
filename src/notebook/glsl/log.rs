//! Logs of graphics drivers, which differ by maker, as mistakes of one form.

use super::Mistake;

/// More would hide the first, which is the one to mend.
const MOST: usize = 8;

/// What a driver's log says is wrong. Warnings are left out. Lines are moved by
/// `first_line`, the line of the compiled source on which the reader's text
/// begins, from 1; what is said of lines before it is said of no line.
///
/// Mesa writes `0:12(5): error: …`, NVIDIA `0(12) : error C1008: …`, ANGLE (all
/// browsers), Apple, AMD and Intel `ERROR: 0:12: …`.
#[must_use]
pub fn mistakes_in_log(log: &str, first_line: usize) -> Vec<Mistake> {
    let mut out: Vec<Mistake> = Vec::new();
    for row in log.lines().map(str::trim) {
        let Some((line, text)) = entry(row) else {
            continue;
        };
        let mistake = Mistake {
            line: line.and_then(|line| (line + 1).checked_sub(first_line).filter(|&line| line > 0)),
            text: tidy(text),
        };
        if !mistake.text.is_empty() && !out.contains(&mistake) {
            out.push(mistake);
        }
    }
    // “Compilation failed”, “linking with uncompiled shader”: news only where
    // there is no other.
    let says_more = |mistake: &Mistake| mistake.line.is_some() || !is_summary(&mistake.text);
    if out.iter().any(says_more) {
        out.retain(says_more);
    }
    out.truncate(MOST);
    out
}

/// The line number, if any, and the words of an error; `None` for warnings,
/// headings and rules.
fn entry(row: &str) -> Option<(Option<usize>, &str)> {
    if row.trim_matches(['-', '=', '\0', ' ']).is_empty() {
        return None;
    }
    let lower = row.to_ascii_lowercase();
    if let Some(rest) = lower.strip_prefix("error:") {
        // ANGLE and kin, or an error of the link as Mesa writes it.
        let rest = row[row.len() - rest.len()..].trim_start();
        return Some(place(rest).unwrap_or((None, rest)));
    }
    if let Some((line, rest)) = place(row) {
        let rest = rest.trim_start_matches([':', ' ']);
        let (word, text) = split_word(rest);
        return match word.to_ascii_lowercase().as_str() {
            "error" | "fatal" => Some((line, text)),
            "warning" | "info" | "note" => None,
            _ => Some((line, rest)),
        };
    }
    let heading = [
        "warning",
        "vertex info",
        "fragment info",
        "vertex shader",
        "note",
    ];
    let says_nothing = heading.iter().any(|start| lower.starts_with(start))
        || lower.ends_with("errors generated.")
        || lower.ends_with("error generated.");
    (!says_nothing).then_some((None, row))
}

/// `0:12(5): rest`, `0:12: rest`, `0(12) : rest`.
fn place(row: &str) -> Option<(Option<usize>, &str)> {
    let rest = row.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == row.len() {
        return None;
    }
    let number = |text: &str| -> Option<(usize, usize)> {
        let end = text
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len());
        Some((text[..end].parse().ok()?, end))
    };
    if let Some(rest) = rest.strip_prefix('(') {
        let (line, end) = number(rest)?;
        let rest = rest[end..].strip_prefix(')')?;
        return Some((Some(line), rest));
    }
    let rest = rest.strip_prefix(':')?;
    let (line, end) = number(rest)?;
    let rest = &rest[end..];
    let rest = match rest.strip_prefix('(') {
        Some(column) => column.split_once(')')?.1,
        None => rest,
    };
    Some((Some(line), rest.strip_prefix(':')?.trim_start()))
}

/// `error C1008: text`, `error(#143) text`, `error: text`.
fn split_word(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(text.len());
    (&text[..end], &text[end..])
}

/// Without codes, with the parser's own words in plain ones.
fn tidy(text: &str) -> String {
    let mut text = text.trim_start_matches([':', ' ']);
    // AMD: “error(#143) Undeclared…” after its place; the code alone here.
    for prefix in ["error", "(#"] {
        if let Some(rest) = text.strip_prefix(prefix)
            && let Some((code, words)) = rest.split_once(')')
            && code
                .trim_start_matches("(#")
                .chars()
                .all(|c| c.is_ascii_digit())
        {
            text = words;
        }
    }
    // NVIDIA: “C1008: undefined…”.
    if let Some((code, words)) = text.trim_start().split_once(": ")
        && code.starts_with('C')
        && code.len() > 1
        && code[1..].chars().all(|c| c.is_ascii_digit())
    {
        text = words;
    }
    let mut words = text.trim().trim_end_matches('\0').trim_end().to_owned();
    for (from, to) in [
        ("NEW_IDENTIFIER", "a new name"),
        ("ANY_IDENTIFIER", "a name"),
        ("IDENTIFIER", "a name"),
        ("FLOATCONSTANT", "a number"),
        ("INTCONSTANT", "a whole number"),
        ("UINTCONSTANT", "a whole number"),
        ("FIELD_SELECTION", "a component"),
        ("$end", "the end of the text"),
        ("end of file", "the end of the text"),
        ("'' : ", ""),
    ] {
        words = words.replace(from, to);
    }
    words
}

fn is_summary(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    [
        "compilation failed",
        "compile failed",
        "failed to compile",
        "not successfully compiled",
        "uncompiled",
        "compilation terminated",
        "compilation errors",
        "linking failed",
        "link failed",
        "no code generated",
    ]
    .iter()
    .any(|words| lower.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(log: &str, first_line: usize) -> Vec<(Option<usize>, String)> {
        mistakes_in_log(log, first_line)
            .into_iter()
            .map(|mistake| (mistake.line, mistake.text))
            .collect()
    }

    fn owned(list: &[(Option<usize>, &str)]) -> Vec<(Option<usize>, String)> {
        list.iter()
            .map(|&(line, text)| (line, text.to_owned()))
            .collect()
    }

    #[test]
    fn mesa_names_line_and_column() {
        let log = "0:12(5): error: `foo' undeclared\n\
            0:12(5): error: value of type error cannot be assigned to variable of type vec3\n\
            0:14(2): warning: `m' used uninitialized\n\
            0:19(1): error: syntax error, unexpected NEW_IDENTIFIER, expecting ',' or ';'\n";
        assert_eq!(
            found(log, 3),
            owned(&[
                (Some(10), "`foo' undeclared"),
                (
                    Some(10),
                    "value of type error cannot be assigned to variable of type vec3"
                ),
                (
                    Some(17),
                    "syntax error, unexpected a new name, expecting ',' or ';'"
                ),
            ])
        );
        let log =
            "error: fragment shader input `tint' has no matching output in the previous stage\n";
        assert_eq!(
            found(log, 3),
            owned(&[(
                None,
                "fragment shader input `tint' has no matching output in the previous stage"
            )])
        );
        let log = "0:5(1): preprocessor error: Unterminated #if\n";
        assert_eq!(
            found(log, 1),
            owned(&[(Some(5), "preprocessor error: Unterminated #if")])
        );
    }

    #[test]
    fn nvidia_names_the_line_in_parentheses_and_a_code() {
        let log = "Vertex info\n-----------\n\
            0(12) : error C1008: undefined variable \"foo\"\n\
            0(13) : warning C7050: \"m\" might be used before being initialized\n\
            0(20) : error C0000: syntax error, unexpected '}', expecting ',' or ';' at token \"}\"\n\
            (0) : error C2003: incompatible options for link\n";
        assert_eq!(
            found(log, 3),
            owned(&[
                (Some(10), "undefined variable \"foo\""),
                (
                    Some(18),
                    "syntax error, unexpected '}', expecting ',' or ';' at token \"}\""
                ),
                (None, "(0) : error C2003: incompatible options for link"),
            ])
        );
    }

    #[test]
    fn angle_and_its_kin_begin_with_the_word() {
        let log = "ERROR: 0:12: 'foo' : undeclared identifier\n\
            ERROR: 0:12: 'assign' : cannot convert from 'mediump float' to 'out highp 3-component vector of float'\n\
            WARNING: 0:13: 'm' : used uninitialized\n\
            ERROR: 0:14: '' : syntax error\n\
            ERROR: 3 compilation errors.  No code generated.\n\0";
        assert_eq!(
            found(log, 13),
            owned(&[
                (None, "'foo' : undeclared identifier"),
                (
                    None,
                    "'assign' : cannot convert from 'mediump float' to 'out highp 3-component vector of float'"
                ),
                (Some(2), "syntax error"),
            ]),
            "the first two are before the reader's text"
        );
        let apple = "ERROR: 0:15: Use of undeclared identifier 'foo'\n";
        assert_eq!(
            found(apple, 13),
            owned(&[(Some(3), "Use of undeclared identifier 'foo'")])
        );
        let amd = "Vertex shader failed to compile with the following errors:\n\
            ERROR: 0:15: error(#143) Undeclared identifier: foo\n\
            ERROR: error(#273) 1 compilation errors.  No code generated\n";
        assert_eq!(
            found(amd, 13),
            owned(&[(Some(3), "Undeclared identifier: foo")])
        );
    }

    #[test]
    fn a_log_of_warnings_or_nothing_has_no_mistakes_and_a_summary_is_better_than_none() {
        for log in [
            "",
            "\n\n",
            "\0",
            "WARNING: 0:3: unused",
            "0:3(1): warning: unused",
        ] {
            assert_eq!(found(log, 1), []);
        }
        assert_eq!(
            found("error: linking with uncompiled/unspecialized shader", 1).len(),
            1
        );
        let many: String = (1..50)
            .map(|line| format!("0:{line}(1): error: e{line}\n"))
            .collect();
        assert_eq!(found(&many, 1).len(), MOST);
        for odd in [
            "0:",
            "0(",
            "0(99999999999999999999999)",
            "0:1(",
            "ERROR:",
            "é: 1",
        ] {
            let _ = found(odd, 1);
        }
    }
}
