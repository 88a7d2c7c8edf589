//! How long a shader can run, counted before it is compiled. A loop that does
//! not end hangs the whole screen, and no driver can be trusted to stop it: so
//! every loop must count, from a number to a number, both written out.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::ShaderFinding;

/// Turns of one loop.
const MOST_OF_ONE: u64 = 1024;
/// Turns of loops within loops, and calls, for one vertex.
const MOST_OF_ALL: u64 = 65_536;

const HOW: &str = "write it as for (int i = 0; i < 8; i++), with numbers";

/// Turns of all loops plus calls of the text's own functions, for one run of
/// `main`.
///
/// Errors: with what may take too long, or cannot be counted.
pub(super) fn turns(tokens: &[GlslToken<'_>]) -> Result<u64, Vec<ShaderFinding>> {
    let functions = functions(tokens);
    let mut counter = Counter {
        writing: writing(tokens, &functions),
        tokens,
        functions,
        known: BTreeMap::new(),
        findings: Vec::new(),
    };
    // All of them, so that a finding in one that is not called is named too.
    for index in 0..counter.functions.len() {
        counter.of_function(index);
    }
    counter.refuse_loops_elsewhere();
    let main = counter.functions.iter().rposition(|f| f.name == "main");
    let turns = main.map_or(0, |main| counter.of_function(main));
    if counter.findings.is_empty() && turns > MOST_OF_ALL {
        counter.findings.push(ShaderFinding::of_all(format!(
            "Loops within loops and calls take {turns} turns for each vertex; {MOST_OF_ALL} is the most here."
        )));
    }
    if counter.findings.is_empty() { Ok(turns) } else { Err(counter.findings) }
}

/// A function with a body.
struct GlslFunction<'a> {
    name: &'a str,
    /// Tokens between its braces.
    body: std::ops::Range<usize>,
    /// Can it change what it is given?
    writes: bool,
}

struct Counter<'a> {
    tokens: &'a [GlslToken<'a>],
    functions: Vec<GlslFunction<'a>>,
    /// Names of functions that can change what they are given.
    writing: Vec<&'a str>,
    known: BTreeMap<usize, u64>,
    findings: Vec<ShaderFinding>,
}

fn functions<'a>(tokens: &[GlslToken<'a>]) -> Vec<GlslFunction<'a>> {
    let mut out = Vec::new();
    let mut at = 0;
    while at + 2 < tokens.len() {
        // A type ends in its name, in `]` (an array), or in `}` (a struct made here).
        let typed = tokens[at].is_name() || matches!(tokens[at].text, "]" | "}");
        let starts = typed && tokens[at + 1].is_name() && tokens[at + 2].text == "(";
        if starts
            && let Some(close) = matching(tokens, at + 2)
            && tokens.get(close + 1).is_some_and(|token| token.text == "{")
        {
            let end = matching(tokens, close + 1).unwrap_or(tokens.len());
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

fn writing<'a>(tokens: &[GlslToken<'a>], functions: &[GlslFunction<'a>]) -> Vec<&'a str> {
    let mut names: Vec<&str> = functions.iter().filter(|f| f.writes).map(|f| f.name).collect();
    // GLSL's own with an `out`.
    names.extend(["modf", "frexp", "uaddCarry", "usubBorrow"]);
    names.retain(|name| tokens.iter().any(|token| token.text == *name));
    names
}

/// `8u`
fn is_unsigned(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && text.ends_with(['u', 'U'])
}

fn is_written(tokens: &[GlslToken<'_>], at: usize) -> bool {
    let is = |at: Option<usize>, signs: &[&str]| {
        at.and_then(|at| tokens.get(at)).is_some_and(|token| signs.contains(&token.text))
    };
    // `((i)) = 0` writes to `i` too.
    let (mut before, mut after) = (at.checked_sub(1), at + 1);
    while is(before, &["("]) && is(Some(after), &[")"]) {
        before = before.and_then(|at| at.checked_sub(1));
        after += 1;
    }
    // `<<=` and its like end in a sign of its own before the `=`.
    let shifted = is(Some(after), &["<", ">", "%", "&", "|", "^", ">=", "<="])
        && is(Some(after + 1), &["=", ">=", "<="]);
    is(Some(after), &["=", "+=", "-=", "*=", "/=", "++", "--"])
        || is(before, &["++", "--"])
        || shifted
}

fn whole(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U']);
    let value = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        // Octal in GLSL, which this does not read.
        None if octal(digits) => return None,
        None => digits.parse().ok()?,
    };
    (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(&value).then_some(value)
}

/// A number with a sign before it.
fn signed_number(tokens: &[&str]) -> Option<i64> {
    match tokens {
        ["-", rest @ ..] => signed_number(rest).map(|value| -value),
        [one] => whole(one),
        _ => None,
    }
}

fn octal(digits: &str) -> bool {
    let digits = digits.trim_start_matches('-');
    digits.len() > 1 && digits.starts_with('0')
}

/// The bracket that closes the one at `open`.
fn matching(tokens: &[GlslToken<'_>], open: usize) -> Option<usize> {
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
    fn of_function(&mut self, index: usize) -> u64 {
        if let Some(&known) = self.known.get(&index) {
            return known;
        }
        // GLSL has no recursion; its compiler will say so. Until then a function
        // that comes back to itself takes this long.
        self.known.insert(index, MOST_OF_ALL);
        let body = self.functions[index].body.clone();
        let turns = self.of_range(body);
        self.known.insert(index, turns);
        turns
    }

    /// What was not found as a function was not counted.
    fn refuse_loops_elsewhere(&mut self) {
        for at in 0..self.tokens.len() {
            let found = self.functions.iter().any(|f| f.body.contains(&at));
            if matches!(self.tokens[at].text, "for" | "while" | "do") && !found {
                self.refuse(
                    at,
                    format!("A loop must stand in a function that can be counted; {HOW}."),
                );
            }
        }
    }

    /// Turns of the statements in a range of tokens.
    fn of_range(&mut self, range: std::ops::Range<usize>) -> u64 {
        let mut turns = 0_u64;
        let mut at = range.start;
        while at < range.end {
            let token = self.tokens[at];
            match token.text {
                "while" | "do" => {
                    self.refuse(at, format!("“{}” might never end; {HOW}.", token.text));
                    at += 1;
                }
                "for" => {
                    let (own, next) = self.of_loop(at, range.end);
                    turns = turns.saturating_add(own);
                    at = next;
                }
                name => {
                    let called = self.tokens.get(at + 1).is_some_and(|next| next.text == "(");
                    if called && let Some(turn) = self.of_call(name) {
                        turns = turns.saturating_add(turn);
                    }
                    at += 1;
                }
            }
        }
        turns
    }

    /// The longest of the functions of that name.
    fn of_call(&mut self, name: &str) -> Option<u64> {
        let named: Vec<usize> =
            (0..self.functions.len()).filter(|&index| self.functions[index].name == name).collect();
        let longest = named.into_iter().map(|index| self.of_function(index)).max()?;
        Some(longest.saturating_add(1))
    }

    /// Turns of the loop at `at`, and where it ends.
    fn of_loop(&mut self, at: usize, end: usize) -> (u64, usize) {
        let open = at + 1;
        let close = matching(self.tokens, open).filter(|&close| close < end);
        let Some(close) = close.filter(|_| self.tokens[open].text == "(") else {
            self.refuse(at, format!("A loop must count; {HOW}."));
            return (0, at + 1);
        };
        let header: Vec<&str> = self.tokens[open + 1..close].iter().map(|t| t.text).collect();
        let body = self.body(close + 1, end);
        let next = body.end.max(close + 1);
        let Some(name) = header.get(1).copied() else {
            self.refuse(at, format!("A loop must count; {HOW}."));
            return (0, next);
        };
        match Self::count(&header) {
            Err(why) => self.refuse(at, why),
            Ok(_) if self.is_changed(name, &body) => self.refuse(
                at,
                format!("“{name}” counts the turns of this loop and may not be changed within it."),
            ),
            Ok(count) => {
                let inner = self.of_range(body);
                return (count.saturating_mul(inner.saturating_add(1)), next);
            }
        }
        self.of_range(body);
        (0, next)
    }

    /// The tokens of a statement, or of a block.
    fn body(&self, start: usize, end: usize) -> std::ops::Range<usize> {
        if self.tokens.get(start).is_some_and(|token| token.text == "{") {
            let close = matching(self.tokens, start).unwrap_or(end).min(end);
            return start + 1..close.max(start + 1);
        }
        let else_follows =
            |at: usize| self.tokens.get(at + 1).is_some_and(|token| token.text == "else");
        // One statement: to its semicolon, or through the block it ends with.
        let mut at = start;
        while at < end {
            match self.tokens[at].text {
                ";" if !else_follows(at) => return start..at,
                "(" | "[" => at = matching(self.tokens, at).unwrap_or(end),
                "{" => {
                    let close = matching(self.tokens, at).unwrap_or(end).min(end);
                    if !else_follows(close) {
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

    /// Turns of `int i = 0; i < 8; i++`.
    fn count(header: &[&str]) -> Result<u64, String> {
        let uncountable = || format!("The turns of this loop cannot be counted; {HOW}.");
        let parts: Vec<&[&str]> = header.split(|text| *text == ";").collect();
        let [start, condition, step] = parts.as_slice() else {
            return Err(uncountable());
        };
        let (kind, name, first) = match start {
            [kind @ ("int" | "uint"), name, "=", first @ ..] => (*kind, *name, first),
            _ => return Err(uncountable()),
        };
        if kind == "int" && header.iter().any(|text| is_unsigned(text)) {
            // Compared with an unsigned number the counter becomes one, and −1
            // is the largest there is.
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
        let held = if kind == "uint" {
            0..=i64::from(u32::MAX)
        } else {
            i64::from(i32::MIN)..=i64::from(i32::MAX)
        };
        let past = || "This loop runs past the numbers its counter can hold.".to_owned();
        if !held.contains(&value) || !held.contains(&bound) {
            return Err(past());
        }
        let mut count = 0;
        let goes_on = |value: i64| match sign {
            "<" => value < bound,
            "<=" => value <= bound,
            ">" => value > bound,
            ">=" => value >= bound,
            _ => value != bound,
        };
        while goes_on(value) {
            count += 1;
            value += step;
            if count > MOST_OF_ONE {
                return Err(format!(
                    "This loop takes more than {MOST_OF_ONE} turns, or never ends."
                ));
            }
            if kind == "uint" && value < 0 {
                return Err("A uint is never below 0, so this loop never ends.".to_owned());
            }
            // It begins again at the other end there.
            if !held.contains(&value) {
                return Err(past());
            }
        }
        Ok(count)
    }

    /// Is the counter written to, or handed to a function that may write to it?
    fn is_changed(&self, name: &str, body: &std::ops::Range<usize>) -> bool {
        let handed = |at: usize| {
            let ends = |at: usize, signs: [&str; 2]| {
                self.tokens.get(at).is_some_and(|token| signs.contains(&token.text))
            };
            !self.writing.is_empty() && ends(at - 1, ["(", ","]) && ends(at + 1, [")", ","])
        };
        body.clone()
            .filter(|&at| self.tokens[at].text == name)
            .any(|at| is_written(self.tokens, at) || handed(at))
    }

    fn refuse(&mut self, at: usize, text: String) {
        let finding = ShaderFinding::at(self.tokens[at].line, text);
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}

// GLSL cut into words, numbers and signs, with comments left out.

/// A word, a number or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GlslToken<'a> {
    pub(super) text: &'a str,
    /// From 1.
    pub(super) line: usize,
}

impl GlslToken<'_> {
    pub(super) fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }
}

/// Signs of more than one character that matter here.
const SIGNS: [&str; 10] = ["++", "--", "+=", "-=", "*=", "/=", "<=", ">=", "==", "!="];

/// All tokens; directives, from their `#` to the end of the line, are one each.
pub(super) fn tokens(source: &str) -> Vec<GlslToken<'_>> {
    let mut out = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let length = length(rest, first);
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

/// In bytes; at least one character.
fn length(rest: &str, first: char) -> usize {
    let to_line_end = rest.find('\n').unwrap_or(rest.len());
    if rest.starts_with("//") || first == '#' {
        return to_line_end;
    }
    if let Some(comment) = rest.strip_prefix("/*") {
        return comment.find("*/").map_or(rest.len(), |end| end + 4);
    }
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if first.is_ascii_digit()
        || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
    {
        return rest.find(|c| !(word(c) || c == '.')).unwrap_or(rest.len());
    }
    if word(first) {
        return rest.find(|c| !word(c)).unwrap_or(rest.len());
    }
    SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len())
}
