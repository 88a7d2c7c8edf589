//! Parser of the logs of graphics drivers, whose format depends on the vendor.

use crate::ShaderFinding;

/// Maximum number of findings. The first ones matter most.
const MAX_FINDINGS: usize = 8;

/// Line number of the first line of the reader's text, set with `#line`. Far beyond the lines
/// of the prelude, because Mesa does not keep the number of the source string.
pub const FIRST_BODY_LINE: usize = 10_001;

/// Parses the errors in a driver's log of the reader's text, whose lines count from
/// [`FIRST_BODY_LINE`]. Skips warnings. Errors in earlier lines have no line number.
///
/// Mesa writes `1:12(5): error: …`, NVIDIA `1(12) : error C1008: …`, ANGLE (all
/// browsers), Apple, AMD and Intel `ERROR: 1:12: …`.
pub fn findings_in_log(log: &str, text: &str) -> Vec<ShaderFinding> {
    let last_line = text.lines().count().max(1);
    let mut out: Vec<ShaderFinding> = Vec::new();
    for row in log.lines().map(str::trim) {
        let Some((line, words)) = parse_entry(row) else {
            continue;
        };
        let finding = ShaderFinding {
            // An error at the end of the text is beyond the last line.
            line: line
                .and_then(|line| (line + 1).checked_sub(FIRST_BODY_LINE))
                .filter(|&line| line > 0)
                .map(|line| line.min(last_line)),
            message: clean_message(words),
        };
        if !finding.message.is_empty() && !out.contains(&finding) {
            out.push(finding);
        }
    }
    // Summaries such as “Compilation failed” only count if there is nothing else.
    if out.iter().any(is_specific) {
        out.retain(is_specific);
    }
    out.truncate(MAX_FINDINGS);
    if out.is_empty() {
        let silent = "The driver refuses this text and does not say why.";
        out.push(ShaderFinding::of_all(silent));
    }
    out
}

/// Returns the line, if any, and the message of an error. Returns `None` for warnings,
/// headings and separators.
fn parse_entry(row: &str) -> Option<(Option<usize>, &str)> {
    if row.trim_matches(['-', '=', '\0', ' ']).is_empty() {
        return None;
    }
    let lower = row.to_ascii_lowercase();
    if let Some(rest) = lower.strip_prefix("error:") {
        // ANGLE and similar drivers, or a link error of Mesa.
        let rest = row[row.len() - rest.len()..].trim_start();
        return Some(parse_position(rest).unwrap_or((None, rest)));
    }
    if let Some((line, rest)) = parse_position(row) {
        let rest = rest.trim_start_matches([':', ' ']);
        let (word, text) = split_word(rest);
        return match word.to_ascii_lowercase().as_str() {
            "error" | "fatal" => Some((line, text)),
            "warning" | "info" | "note" => None,
            _ => Some((line, rest)),
        };
    }
    let headings = ["warning", "vertex info", "fragment info", "vertex shader", "note"];
    let is_heading = headings.iter().any(|start| lower.starts_with(start))
        || lower.ends_with("errors generated.")
        || lower.ends_with("error generated.");
    (!is_heading).then_some((None, row))
}

/// Parses a position such as `0:12(5): rest`, `0:12: rest` or `0(12) : rest`. Returns the line
/// and the rest.
fn parse_position(row: &str) -> Option<(Option<usize>, &str)> {
    let (_, end) = parse_number(row)?;
    let rest = &row[end..];
    if let Some(rest) = rest.strip_prefix('(') {
        let (line, end) = parse_number(rest)?;
        let rest = rest[end..].strip_prefix(')')?;
        return Some((Some(line), rest));
    }
    let rest = rest.strip_prefix(':')?;
    let (line, end) = parse_number(rest)?;
    let rest = &rest[end..];
    let rest = match rest.strip_prefix('(') {
        Some(column) => column.split_once(')')?.1,
        None => rest,
    };
    Some((Some(line), rest.strip_prefix(':')?.trim_start()))
}

/// Parses the number at the start of a text. Returns it with its length.
fn parse_number(text: &str) -> Option<(usize, usize)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, end))
}

/// Splits the first word from `error C1008: text`, `error(#143) text` or `error: text`.
fn split_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    (&text[..end], &text[end..])
}

/// Removes error codes, and replaces names of the parser's tokens.
fn clean_message(text: &str) -> String {
    let mut text = text.trim_start_matches([':', ' ']);
    // AMD writes “error(#143) Undeclared…” after the position, or the code alone.
    for prefix in ["error", "(#"] {
        if let Some(rest) = text.strip_prefix(prefix)
            && let Some((code, words)) = rest.split_once(')')
            && code.trim_start_matches("(#").chars().all(|c| c.is_ascii_digit())
        {
            text = words;
        }
    }
    // NVIDIA writes “C1008: undefined…”.
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

fn is_specific(finding: &ShaderFinding) -> bool {
    finding.line.is_some() || !is_summary(&finding.message)
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

    /// The findings on a text of thirty lines.
    fn found(log: &str) -> Vec<(Option<usize>, String)> {
        findings_in_log(log, &"x\n".repeat(30))
            .into_iter()
            .map(|finding| (finding.line, finding.message))
            .collect()
    }

    fn owned(list: &[(Option<usize>, &str)]) -> Vec<(Option<usize>, String)> {
        list.iter().map(|&(line, text)| (line, text.to_owned())).collect()
    }

    #[test]
    fn mesa_logs_are_parsed() {
        let log = "0:10012(5): error: `foo' undeclared\n\
            1:10012(5): error: value of type error cannot be assigned to variable of type vec3\n\
            0:10014(2): warning: `m' used uninitialized\n\
            1:10019(1): error: syntax error, unexpected NEW_IDENTIFIER, expecting ',' or ';'\n\
            0:3(1): error: `main' redefined\n\
            1:10099(1): error: syntax error, unexpected end of file\n";
        assert_eq!(
            found(log),
            owned(&[
                (Some(12), "`foo' undeclared"),
                (Some(12), "value of type error cannot be assigned to variable of type vec3"),
                (Some(19), "syntax error, unexpected a new name, expecting ',' or ';'"),
                (None, "`main' redefined"),
                (Some(30), "syntax error, unexpected the end of the text"),
            ])
        );
        let words = "fragment shader input `tint' has no matching output in the previous stage";
        assert_eq!(found(&format!("error: {words}\n")), owned(&[(None, words)]));
        let log = "1:10005(1): preprocessor error: Unterminated #if\n";
        assert_eq!(found(log), owned(&[(Some(5), "preprocessor error: Unterminated #if")]));
    }

    #[test]
    fn nvidia_logs_are_parsed() {
        let log = "Vertex info\n-----------\n\
            1(10012) : error C1008: undefined variable \"foo\"\n\
            1(10013) : warning C7050: \"m\" might be used before being initialized\n\
            1(10020) : error C0000: syntax error, unexpected '}', expecting ',' or ';' at token \"}\"\n\
            0(3) : error C1013: function \"unit\" is already defined\n";
        assert_eq!(
            found(log),
            owned(&[
                (Some(12), "undefined variable \"foo\""),
                (Some(20), "syntax error, unexpected '}', expecting ',' or ';' at token \"}\""),
                (None, "function \"unit\" is already defined"),
            ])
        );
    }

    #[test]
    fn angle_apple_and_amd_logs_are_parsed() {
        let log = "ERROR: 1:10012: 'foo' : undeclared identifier\n\
            ERROR: 1:10012: 'assign' : cannot convert from 'mediump float' to 'out highp 3-component vector of float'\n\
            WARNING: 1:10013: 'm' : used uninitialized\n\
            ERROR: 1:10014: '' : syntax error\n\
            ERROR: 3 compilation errors.  No code generated.\n\0";
        assert_eq!(
            found(log),
            owned(&[
                (Some(12), "'foo' : undeclared identifier"),
                (
                    Some(12),
                    "'assign' : cannot convert from 'mediump float' to 'out highp 3-component vector of float'"
                ),
                (Some(14), "syntax error"),
            ])
        );
        let apple = "ERROR: 1:10015: Use of undeclared identifier 'foo'\n";
        assert_eq!(found(apple), owned(&[(Some(15), "Use of undeclared identifier 'foo'")]));
        let amd = "Vertex shader failed to compile with the following errors:\n\
            ERROR: 1:10015: error(#143) Undeclared identifier: foo\n\
            ERROR: error(#273) 1 compilation errors.  No code generated\n";
        assert_eq!(found(amd), owned(&[(Some(15), "Undeclared identifier: foo")]));
    }

    #[test]
    fn warnings_are_skipped_and_findings_never_empty() {
        for log in ["", "\n\n", "\0", "WARNING: 1:10003: unused", "1:10003(1): warning: unused"] {
            assert!(found(log)[0].1.contains("does not say why"), "{log}");
        }
        let summary = found("error: linking with uncompiled/unspecialized shader");
        assert!(summary[0].1.contains("uncompiled"), "{summary:?}");
        let many: Vec<String> =
            (1..50).map(|line| format!("1:100{line:02}(1): error: e{line}")).collect();
        assert_eq!(found(&many.join("\n")).len(), MAX_FINDINGS);
        for odd in ["1:", "1(", "1(100000000000000000009999)", "1:10001(", "ERROR:", "é: 1"] {
            assert_eq!(found(odd).len(), 1, "{odd}");
        }
    }
}
