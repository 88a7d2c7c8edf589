//! Upper bound of the running time of a shader, computed before it is compiled.
//!
//! An infinite loop hangs the whole screen, and drivers cannot be relied on to stop it.
//! Therefore every loop must count from a literal to a literal.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::ShaderFinding;

/// Maximum number of iterations of a loop.
const MAX_LOOP_TURNS: u64 = 1024;
/// Maximum number of iterations and calls for one vertex.
const MAX_TOTAL_TURNS: u64 = 65_536;

const HELP: &str = "write it as for (int i = 0; i < 8; i++), with numbers";

/// Counts the iterations of all loops, and the calls of the text's functions, in one run of
/// `main`.
///
/// # Errors
///
/// Returns the loops that have too many iterations or cannot be counted.
pub(super) fn count_turns(tokens: &[GlslToken<'_>]) -> Result<u64, Vec<ShaderFinding>> {
    let functions = find_functions(tokens);
    let mut counter = Counter {
        writing_functions: find_writing_functions(tokens, &functions),
        tokens,
        functions,
        known: BTreeMap::new(),
        findings: Vec::new(),
    };
    // Functions that are not called are counted too, for their findings.
    for index in 0..counter.functions.len() {
        counter.function_turns(index);
    }
    counter.reject_uncounted_loops();
    let main = counter.functions.iter().rposition(|f| f.name == "main");
    let turns = main.map_or(0, |main| counter.function_turns(main));
    if counter.findings.is_empty() && turns > MAX_TOTAL_TURNS {
        counter.findings.push(ShaderFinding::of_all(format!(
            "Loops within loops and calls take {turns} turns for each vertex; {MAX_TOTAL_TURNS} is the most here."
        )));
    }
    if counter.findings.is_empty() { Ok(turns) } else { Err(counter.findings) }
}

/// A function with a body.
struct GlslFunction<'a> {
    name: &'a str,
    /// Tokens between the braces.
    body: std::ops::Range<usize>,
    /// Does it have an `out` or `inout` parameter?
    writes: bool,
}

struct Counter<'a> {
    tokens: &'a [GlslToken<'a>],
    functions: Vec<GlslFunction<'a>>,
    /// Names of functions that can write to their arguments.
    writing_functions: Vec<&'a str>,
    /// Iterations of functions that were counted.
    known: BTreeMap<usize, u64>,
    findings: Vec<ShaderFinding>,
}

fn find_functions<'a>(tokens: &[GlslToken<'a>]) -> Vec<GlslFunction<'a>> {
    let mut out = Vec::new();
    let mut at = 0;
    while at + 2 < tokens.len() {
        // A type ends with a name, with `]` for an array, or with `}` for a struct definition.
        let is_after_type = tokens[at].is_name() || matches!(tokens[at].text, "]" | "}");
        let is_head = is_after_type && tokens[at + 1].is_name() && tokens[at + 2].text == "(";
        if is_head
            && let Some(close) = closing_bracket(tokens, at + 2)
            && tokens.get(close + 1).is_some_and(|token| token.text == "{")
        {
            let end = closing_bracket(tokens, close + 1).unwrap_or(tokens.len());
            out.push(GlslFunction {
                name: tokens[at + 1].text,
                body: close + 2..end,
                writes: tokens[at + 2..close]
                    .iter()
                    .any(|token| matches!(token.text, "out" | "inout")),
            });
            at = end;
        }
        at += 1;
    }
    out
}

fn find_writing_functions<'a>(
    tokens: &[GlslToken<'a>],
    functions: &[GlslFunction<'a>],
) -> Vec<&'a str> {
    let mut names: Vec<&str> = functions.iter().filter(|f| f.writes).map(|f| f.name).collect();
    // Built-in functions with `out` parameters.
    names.extend(["modf", "frexp", "uaddCarry", "usubBorrow"]);
    names.retain(|name| tokens.iter().any(|token| token.text == *name));
    names
}

/// Is the text an unsigned literal such as `8u`?
fn is_unsigned(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && text.ends_with(['u', 'U'])
}

/// Is the variable at this token written to?
fn is_written(tokens: &[GlslToken<'_>], at: usize) -> bool {
    // `((i)) = 0` writes to `i` too.
    let mut before = at.checked_sub(1);
    let mut after = at + 1;
    while before.is_some_and(|before| is_operator(tokens, before, &["("]))
        && is_operator(tokens, after, &[")"])
    {
        before = before.and_then(|before| before.checked_sub(1));
        after += 1;
    }
    // Assignments such as `<<=` are more than one token.
    let is_shifted = is_operator(tokens, after, &["<", ">", "%", "&", "|", "^", ">=", "<="])
        && is_operator(tokens, after + 1, &["=", ">=", "<="]);
    is_operator(tokens, after, &["=", "+=", "-=", "*=", "/=", "++", "--"])
        || before.is_some_and(|before| is_operator(tokens, before, &["++", "--"]))
        || is_shifted
}

fn is_operator(tokens: &[GlslToken<'_>], at: usize, operators: &[&str]) -> bool {
    tokens.get(at).is_some_and(|token| operators.contains(&token.text))
}

fn parse_integer(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U']);
    let value = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        // Octal literals are not supported.
        None if is_octal(digits) => return None,
        None => digits.parse().ok()?,
    };
    (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(&value).then_some(value)
}

fn uncountable() -> String {
    format!("The turns of this loop cannot be counted; {HELP}.")
}

/// Parses an integer with any number of minus signs.
fn signed_number(tokens: &[&str]) -> Option<i64> {
    match tokens {
        ["-", rest @ ..] => signed_number(rest).map(|value| -value),
        [one] => parse_integer(one),
        _ => None,
    }
}

fn is_octal(digits: &str) -> bool {
    let digits = digits.trim_start_matches('-');
    digits.len() > 1 && digits.starts_with('0')
}

/// Returns the bracket that closes the one at `open`.
fn closing_bracket(tokens: &[GlslToken<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

impl Counter<'_> {
    fn function_turns(&mut self, index: usize) -> u64 {
        if let Some(&known) = self.known.get(&index) {
            return known;
        }
        // GLSL forbids recursion, which its compiler reports. Until then, recursive calls
        // count as the maximum.
        self.known.insert(index, MAX_TOTAL_TURNS);
        let body = self.functions[index].body.clone();
        let turns = self.range_turns(body);
        self.known.insert(index, turns);
        turns
    }

    /// Reports loops outside of functions, which were not counted.
    fn reject_uncounted_loops(&mut self) {
        for at in 0..self.tokens.len() {
            let found = self.functions.iter().any(|f| f.body.contains(&at));
            if matches!(self.tokens[at].text, "for" | "while" | "do") && !found {
                self.reject(
                    at,
                    format!("A loop must stand in a function that can be counted; {HELP}."),
                );
            }
        }
    }

    /// Counts the statements in a range of tokens.
    fn range_turns(&mut self, range: std::ops::Range<usize>) -> u64 {
        let mut turns = 0_u64;
        let mut at = range.start;
        while at < range.end {
            let token = self.tokens[at];
            match token.text {
                "while" | "do" => {
                    self.reject(at, format!("“{}” might never end; {HELP}.", token.text));
                    at += 1;
                }
                "for" => {
                    let (own, next) = self.loop_turns(at, range.end);
                    turns = turns.saturating_add(own);
                    at = next;
                }
                name => {
                    let called = self.tokens.get(at + 1).is_some_and(|next| next.text == "(");
                    if called && let Some(turn) = self.call_turns(name) {
                        turns = turns.saturating_add(turn);
                    }
                    at += 1;
                }
            }
        }
        turns
    }

    /// Counts the longest function of that name. Returns `None` if there is none.
    fn call_turns(&mut self, name: &str) -> Option<u64> {
        let named: Vec<usize> =
            (0..self.functions.len()).filter(|&index| self.functions[index].name == name).collect();
        let longest = named.into_iter().map(|index| self.function_turns(index)).max()?;
        Some(longest.saturating_add(1))
    }

    /// Counts the loop at `at`. Returns its iterations and its end.
    fn loop_turns(&mut self, at: usize, end: usize) -> (u64, usize) {
        let open = at + 1;
        let close = closing_bracket(self.tokens, open).filter(|&close| close < end);
        let Some(close) = close.filter(|_| self.tokens[open].text == "(") else {
            self.reject(at, format!("A loop must count; {HELP}."));
            return (0, at + 1);
        };
        let header: Vec<&str> = self.tokens[open + 1..close].iter().map(|t| t.text).collect();
        let body = self.statement_range(close + 1, end);
        let next = body.end.max(close + 1);
        let Some(name) = header.get(1).copied() else {
            self.reject(at, format!("A loop must count; {HELP}."));
            return (0, next);
        };
        match Self::count_header(&header) {
            Err(why) => self.reject(at, why),
            Ok(_) if self.is_changed(name, &body) => self.reject(
                at,
                format!("“{name}” counts the turns of this loop and may not be changed within it."),
            ),
            Ok(count) => {
                let inner = self.range_turns(body);
                return (count.saturating_mul(inner.saturating_add(1)), next);
            }
        }
        self.range_turns(body);
        (0, next)
    }

    /// Returns the tokens of a statement or block.
    fn statement_range(&self, start: usize, end: usize) -> std::ops::Range<usize> {
        if self.tokens.get(start).is_some_and(|token| token.text == "{") {
            let close = closing_bracket(self.tokens, start).unwrap_or(end).min(end);
            return start + 1..close.max(start + 1);
        }
        // A statement ends with its semicolon, or with the block at its end.
        let mut at = start;
        while at < end {
            match self.tokens[at].text {
                ";" if !is_operator(self.tokens, at + 1, &["else"]) => return start..at,
                "(" | "[" => at = closing_bracket(self.tokens, at).unwrap_or(end),
                "{" => {
                    let close = closing_bracket(self.tokens, at).unwrap_or(end).min(end);
                    if !is_operator(self.tokens, close + 1, &["else"]) {
                        return start..close;
                    }
                    at = close;
                }
                _ => {}
            }
            at += 1;
        }
        start.min(end)..end
    }

    /// Counts the iterations of a header such as `int i = 0; i < 8; i++`.
    fn count_header(header: &[&str]) -> Result<u64, String> {
        let parts: Vec<&[&str]> = header.split(|text| *text == ";").collect();
        let [start, condition, step] = parts.as_slice() else {
            return Err(uncountable());
        };
        let (kind, name, first) = match start {
            [kind @ ("int" | "uint"), name, "=", first @ ..] => (*kind, *name, first),
            _ => return Err(uncountable()),
        };
        if kind == "int" && header.iter().any(|text| is_unsigned(text)) {
            // Comparison with an unsigned number converts the counter, and −1 becomes the
            // largest number.
            return Err(uncountable());
        }
        let mut value = signed_number(first).ok_or_else(uncountable)?;
        let (sign, bound) = match condition {
            [left, sign @ ("<" | "<=" | ">" | ">=" | "!="), bound @ ..] if *left == name => {
                (*sign, signed_number(bound).ok_or_else(uncountable)?)
            }
            _ => return Err(uncountable()),
        };
        let step = match step {
            [left, "++"] if *left == name => 1,
            ["++", right] if *right == name => 1,
            [left, "--"] if *left == name => -1,
            ["--", right] if *right == name => -1,
            [left, "+=", by @ ..] if *left == name => signed_number(by).ok_or_else(uncountable)?,
            [left, "-=", by @ ..] if *left == name => -signed_number(by).ok_or_else(uncountable)?,
            _ => return Err(uncountable()),
        };
        let value_range = if kind == "uint" {
            0..=i64::from(u32::MAX)
        } else {
            i64::from(i32::MIN)..=i64::from(i32::MAX)
        };
        let out_of_range = "This loop runs past the numbers its counter can hold.";
        if !value_range.contains(&value) || !value_range.contains(&bound) {
            return Err(out_of_range.to_owned());
        }
        let mut count = 0;
        loop {
            let goes_on = match sign {
                "<" => value < bound,
                "<=" => value <= bound,
                ">" => value > bound,
                ">=" => value >= bound,
                _ => value != bound,
            };
            if !goes_on {
                return Ok(count);
            }
            count += 1;
            value += step;
            if count > MAX_LOOP_TURNS {
                return Err(format!(
                    "This loop takes more than {MAX_LOOP_TURNS} turns, or never ends."
                ));
            }
            if kind == "uint" && value < 0 {
                return Err("A uint is never below 0, so this loop never ends.".to_owned());
            }
            // The counter would wrap around.
            if !value_range.contains(&value) {
                return Err(out_of_range.to_owned());
            }
        }
    }

    /// Is the counter written to, or passed to a function that may write to it?
    fn is_changed(&self, name: &str, body: &std::ops::Range<usize>) -> bool {
        body.clone().filter(|&at| self.tokens[at].text == name).any(|at| {
            let is_argument = is_operator(self.tokens, at - 1, &["(", ","])
                && is_operator(self.tokens, at + 1, &[")", ","]);
            is_written(self.tokens, at) || (is_argument && !self.writing_functions.is_empty())
        })
    }

    fn reject(&mut self, at: usize, text: String) {
        let finding = ShaderFinding::at(self.tokens[at].line, text);
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}

/// A word, number, operator or directive of GLSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GlslToken<'a> {
    pub(super) text: &'a str,
    /// Line number, from 1.
    pub(super) line: usize,
}

impl GlslToken<'_> {
    pub(super) fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }
}

/// Operators of more than one character that matter for counting.
const OPERATORS: [&str; 10] = ["++", "--", "+=", "-=", "*=", "/=", "<=", ">=", "==", "!="];

/// Splits GLSL into tokens, without comments. A directive is a single token to the end of its
/// line.
pub(super) fn tokenize(source: &str) -> Vec<GlslToken<'_>> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut line = 1;
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let length = token_length(rest, first);
        let text = &rest[..length];
        let comment = text.starts_with("//") || text.starts_with("/*");
        if !comment && !first.is_whitespace() {
            out.push(GlslToken { text, line });
        }
        line += text.matches('\n').count();
        at += length;
    }
    out
}

/// Returns the length of the first token in bytes, which is never 0.
fn token_length(rest: &str, first: char) -> usize {
    let to_line_end = rest.find('\n').unwrap_or(rest.len());
    if rest.starts_with("//") || first == '#' {
        return to_line_end;
    }
    if let Some(comment) = rest.strip_prefix("/*") {
        return comment.find("*/").map_or(rest.len(), |end| end + 4);
    }
    if first.is_ascii_digit()
        || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
    {
        return rest.find(|c| !(is_word_char(c) || c == '.')).unwrap_or(rest.len());
    }
    if is_word_char(first) {
        return rest.find(|c| !is_word_char(c)).unwrap_or(rest.len());
    }
    OPERATORS
        .iter()
        .find(|sign| rest.starts_with(**sign))
        .map_or(first.len_utf8(), |sign| sign.len())
}

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
