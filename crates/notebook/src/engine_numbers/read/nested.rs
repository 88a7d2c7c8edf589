//! Numbers in brackets of any kind, as programs, shaders and debuggers write them:
//! `{{1, 0.f, 0}, …}`, `float4x4(…)`, `array([[1., 0.], …], dtype=float32)`.

use std::iter::Peekable;
use std::str::Chars;

use bindpose_diagnostic::{Diagnostic, LineColumn};

use super::nest::Nest;
use super::shaped::{Shaped, number, wrong_at};

/// Is there a bracket before a number or another bracket?
pub(super) fn has_brackets(text: &str) -> bool {
    let mut after_bracket = false;
    for c in text.chars() {
        let begins_number = c.is_ascii_digit() || matches!(c, '-' | '+' | '.');
        let opens = matches!(c, '[' | '{' | '(');
        if after_bracket && (opens || begins_number || matches!(c, ']' | '}' | ')')) {
            return true;
        }
        after_bracket = opens || after_bracket && c.is_whitespace();
    }
    text.trim_start().starts_with(['[', '{', '('])
}

/// Reads at most so many numbers. What stands before `=` is a declaration, a word before a bracket a type or
/// a function, a word before `=` or `:` within brackets a name; the other words are
/// numbers. Comments are left out.
pub(super) fn nested(text: &str, most: usize) -> Result<Shaped, Diagnostic> {
    let mut nest = Nest::of_lists(most);
    let mut tokens = Tokens::new(text);
    // A word that is no number, until what follows says why.
    let mut word: Option<(LineColumn, String)> = None;
    let mut named = false;
    for (at, token) in tokens.by_ref() {
        match token {
            NumbersToken::Open(closed_by) => {
                word = None;
                nest.open(closed_by).map_err(|wrong| wrong.at(at))?;
            }
            NumbersToken::Equals if nest.is_outside() => {
                nest = Nest::of_lists(most);
                word = None;
            }
            NumbersToken::Equals => {
                word = None;
                named = true;
                continue;
            }
            NumbersToken::Word(text) => match number(&text) {
                Some(number) => {
                    refuse(word.take())?;
                    nest.number(number).map_err(|wrong| wrong.at(at))?;
                }
                // `x: 1`, `dtype=float32`
                None if text.ends_with(':') || named => {}
                // `const float m`
                None if nest.is_outside() => word = word.or(Some((at, text))),
                None => {
                    refuse(word.take())?;
                    word = Some((at, text));
                }
            },
            NumbersToken::Close(bracket) => {
                refuse(word.take())?;
                nest.close(bracket).map_err(|wrong| wrong.at(at))?;
            }
            NumbersToken::Separator => refuse(word.take())?,
        }
        named = false;
    }
    refuse(word)?;
    nest.finished().map_err(|wrong| wrong.at(tokens.at))
}

fn refuse(word: Option<(LineColumn, String)>) -> Result<(), Diagnostic> {
    let Some((at, word)) = word else {
        return Ok(());
    };
    let shown: String = word.chars().take(40).collect();
    Err(wrong_at(at, "a number", &format!("`{shown}`")))
}

enum NumbersToken {
    /// With what closes it.
    Open(char),
    Close(char),
    Equals,
    Separator,
    Word(String),
}

struct Tokens<'a> {
    rest: Peekable<Chars<'a>>,
    /// Of what comes next.
    at: LineColumn,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.chars().peekable(), at: LineColumn { line: 1, column: 1 } }
    }

    fn step(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.at.line += 1;
            self.at.column = 1;
        } else {
            self.at.column += 1;
        }
        Some(c)
    }

    fn skip_line(&mut self) {
        while self.rest.peek().is_some_and(|&c| c != '\n') {
            self.step();
        }
    }

    /// After `/*`.
    fn skip_comment(&mut self) {
        let mut last = ' ';
        while let Some(c) = self.step() {
            if (last, c) == ('*', '/') {
                return;
            }
            last = c;
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = (LineColumn, NumbersToken);

    fn next(&mut self) -> Option<(LineColumn, NumbersToken)> {
        loop {
            let at = self.at;
            let c = self.step()?;
            let token = match c {
                _ if c.is_whitespace() => continue,
                '#' => {
                    self.skip_line();
                    continue;
                }
                '/' if self.rest.peek() == Some(&'/') => {
                    self.skip_line();
                    continue;
                }
                '/' if self.rest.peek() == Some(&'*') => {
                    self.step();
                    self.skip_comment();
                    continue;
                }
                '[' => NumbersToken::Open(']'),
                '{' => NumbersToken::Open('}'),
                '(' => NumbersToken::Open(')'),
                ']' | '}' | ')' => NumbersToken::Close(c),
                '=' => NumbersToken::Equals,
                ',' | ';' | '|' => NumbersToken::Separator,
                first => {
                    let mut word = String::from(first);
                    while let Some(&c) = self.rest.peek() {
                        if c.is_whitespace() || "[]{}(),;|=".contains(c) {
                            break;
                        }
                        word.push(c);
                        self.step();
                    }
                    NumbersToken::Word(word)
                }
            };
            return Some((at, token));
        }
    }
}
