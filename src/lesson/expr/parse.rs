//! From text to tree: a Pratt parser.

use super::tree::{AngleUnit, Function, Node, Operator};
use crate::diagnostic::{Diagnostic, Place};

/// Longer formulas are refused. Also bounds how deep `1+1+1+…` gets, whose tree
/// leans to the left.
const MAX_CHARS: usize = 400;
/// Deeper nesting is refused.
const MAX_DEPTH: usize = 48;
/// How tightly unary minus binds: less than `^`, more than `*`.
const UNARY_POWER: u8 = 6;

pub(super) fn parse(source: &str) -> Result<Node, Diagnostic> {
    let mut parser = Parser {
        chars: source.chars().take(MAX_CHARS + 1).collect(),
        at: 0,
        depth: 0,
        closed: false,
    };
    if parser.chars.len() > MAX_CHARS {
        let expected = format!("a formula of at most {MAX_CHARS} characters");
        return Err(wrong(0, expected, "", "split it"));
    }
    let node = parser.expression(0)?;
    match parser.peek() {
        None => Ok(node),
        Some(')') => Err(wrong(
            parser.at,
            "the end",
            "`)` without its `(`",
            "leave it out",
        )),
        Some(found) => Err(wrong(
            parser.at,
            "an operator or the end",
            format!("`{found}`"),
            spelling(found).unwrap_or("write + - * / or ^ between values"),
        )),
    }
}

/// The number of a vertex written as `v2`.
pub(super) fn vertex_name(name: &str) -> Option<u32> {
    let digits = name.strip_prefix('v')?;
    if digits.starts_with('+') {
        return None;
    }
    digits.parse().ok()
}

struct Parser {
    chars: Vec<char>,
    at: usize,
    depth: usize,
    /// Did the last operand stand in parentheses?
    closed: bool,
}

impl Parser {
    /// Reads operators that bind more tightly than `power`.
    fn expression(&mut self, power: u8) -> Result<Node, Diagnostic> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(wrong(
                self.at,
                format!("at most {MAX_DEPTH} levels of nesting"),
                "",
                "leave out parentheses that change nothing",
            ));
        }
        let mut left = self.operand()?;
        while let Some((operator, length)) = self.operator() {
            let (left_power, right_power) = powers(operator);
            if left_power <= power {
                break;
            }
            let is_compared =
                |node: &Node| matches!(node, Node::Binary(other, ..) if other.is_comparison());
            if operator.is_comparison() && is_compared(&left) && !self.closed {
                return Err(wrong(
                    self.at,
                    "one comparison",
                    "a second one",
                    "write (a < b) * (b < c), which is 1 where both hold",
                ));
            }
            self.at += length;
            let right = self.expression(right_power)?;
            self.closed = false;
            left = Node::Binary(operator, Box::new(left), Box::new(right));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<Node, Diagnostic> {
        let Some(next) = self.peek() else {
            return Err(wrong(self.at, "a value", "the end", VALUE_HELP));
        };
        self.closed = next == '(';
        match next {
            '-' | '−' => {
                self.at += 1;
                Ok(Node::Negate(Box::new(self.expression(UNARY_POWER)?)))
            }
            '+' => {
                self.at += 1;
                self.expression(UNARY_POWER)
            }
            'π' => {
                self.at += 1;
                Ok(Node::Pi)
            }
            '(' => {
                self.at += 1;
                let inner = self.expression(0)?;
                self.expect(')')?;
                self.closed = true;
                Ok(inner)
            }
            '0'..='9' | '.' => self.number(),
            c if c.is_ascii_alphabetic() || c == '_' => self.name(),
            found => Err(wrong(
                self.at,
                "a value",
                format!("`{found}`"),
                spelling(found).unwrap_or(VALUE_HELP),
            )),
        }
    }

    fn number(&mut self) -> Result<Node, Diagnostic> {
        let start = self.at;
        self.skip(|c| c.is_ascii_digit());
        if self.char(0) == Some('.') {
            self.at += 1;
            self.skip(|c| c.is_ascii_digit());
        }
        if matches!(self.char(0), Some('e' | 'E')) {
            let sign = usize::from(matches!(self.char(1), Some('+' | '-')));
            if self.char(1 + sign).is_some_and(|c| c.is_ascii_digit()) {
                self.at += 1 + sign;
                self.skip(|c| c.is_ascii_digit());
            }
        }
        let digits = self.text(start);
        let value: Option<f64> = digits.parse().ok().filter(|value: &f64| value.is_finite());
        let Some(value) = value else {
            return Err(wrong(
                start,
                "a number",
                format!("`{digits}`"),
                "write digits and at most one point",
            ));
        };
        if let Some(unit) = self.unit() {
            return Ok(Node::Angle(unit.radians(value)));
        }
        let after = self.at;
        self.skip(is_name_char);
        match self.text(after).as_str() {
            "" => Ok(Node::Number(value)),
            name => Err(wrong(
                after,
                "an operator",
                format!("`{name}`"),
                format!("write {digits}*{name}, or {digits}deg for degrees"),
            )),
        }
    }

    /// The unit of an angle; stays where it is when none follows.
    fn unit(&mut self) -> Option<AngleUnit> {
        let before = self.at;
        self.skip(|c| c == ' ');
        let start = self.at;
        self.skip(|c| c == '°' || is_name_char(c));
        let name = self.text(start);
        let unit = AngleUnit::NAMES.iter().find(|&&(other, _)| other == name);
        if unit.is_none() {
            self.at = before;
        }
        unit.map(|&(_, unit)| unit)
    }

    fn name(&mut self) -> Result<Node, Diagnostic> {
        let start = self.at;
        self.skip(is_name_char);
        let name = self.text(start);
        if self.peek() == Some('(') {
            return self.call(&name, start);
        }
        if name == "pi" {
            return Ok(Node::Pi);
        }
        if let Some(vertex) = vertex_name(&name) {
            return Ok(Node::Vertex(vertex));
        }
        if is_reserved(&name) {
            let expected = format!("`(` after the function {name}");
            return Err(wrong(self.at, expected, "", usage(&name)));
        }
        Ok(Node::Name {
            name,
            column: start + 1,
        })
    }

    fn call(&mut self, name: &str, start: usize) -> Result<Node, Diagnostic> {
        let known = Function::ALL.iter().find(|&&(other, ..)| other == name);
        let Some(&(_, function, wanted)) = known else {
            let names = Function::ALL.map(|(name, ..)| name);
            let unknown = Diagnostic::unknown("function", name, &names);
            return Err(unknown.at(Place::Character(start + 1)));
        };
        let expected = wanted.len();
        self.expect('(')?;
        let mut arguments = Vec::new();
        if self.peek() != Some(')') {
            arguments.push(self.argument(function, 0)?);
            while self.peek() == Some(',') {
                self.at += 1;
                arguments.push(self.argument(function, arguments.len())?);
            }
        }
        self.expect(')')?;
        if arguments.len() != expected {
            return Err(wrong(
                start,
                format!("{expected} arguments of {name}"),
                arguments.len().to_string(),
                usage(name),
            ));
        }
        Ok(Node::Call {
            function,
            arguments,
            column: start + 1,
        })
    }

    /// A joint may be named in quotes.
    fn argument(&mut self, function: Function, index: usize) -> Result<Node, Diagnostic> {
        if !matches!(self.peek(), Some('\'' | '"')) || !function.takes_joint(index) {
            return self.expression(0);
        }
        let (start, quote) = (self.at, self.char(0));
        self.at += 1;
        self.skip(|c| Some(c) != quote);
        let name = self.text(start + 1);
        if self.char(0) != quote {
            return Err(wrong(
                start,
                "a second quote after the name of the joint",
                "the end",
                "write 'neck'",
            ));
        }
        self.at += 1;
        let column = start + 1;
        Ok(Node::Joint { name, column })
    }

    /// The next character that is no space.
    fn peek(&mut self) -> Option<char> {
        self.skip(|c| c == ' ');
        self.char(0)
    }

    /// The operator that stands next, and its characters.
    fn operator(&mut self) -> Option<(Operator, usize)> {
        let first = self.peek()?;
        let followed = self.char(1) == Some('=');
        let known = operator(first, followed)?;
        Some((
            known,
            if followed && known.is_comparison() {
                2
            } else {
                1
            },
        ))
    }

    fn expect(&mut self, expected: char) -> Result<(), Diagnostic> {
        match self.peek() {
            Some(found) if found == expected => {
                self.at += 1;
                Ok(())
            }
            found => {
                let found = found.map_or("the end".to_owned(), |found| format!("`{found}`"));
                Err(wrong(
                    self.at,
                    format!("`{expected}`"),
                    found,
                    format!("write `{expected}` here"),
                ))
            }
        }
    }

    fn char(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn skip(&mut self, belongs: impl Fn(char) -> bool) {
        while self.char(0).is_some_and(&belongs) {
            self.at += 1;
        }
    }

    fn text(&self, start: usize) -> String {
        self.chars
            .get(start..self.at)
            .into_iter()
            .flatten()
            .collect()
    }
}

/// What is wrong at a character, counted from 0 here.
fn wrong(
    at: usize,
    expected: impl Into<String>,
    found: impl Into<String>,
    help: impl Into<String>,
) -> Diagnostic {
    Diagnostic::expected(expected, found)
        .help(help)
        .at(Place::Character(at + 1))
}

const VALUE_HELP: &str = "write a number, a parameter, or a function such as x(v2)";

/// By its first character, and whether `=` follows.
fn operator(symbol: char, followed: bool) -> Option<Operator> {
    Some(match (symbol, followed) {
        ('+', _) => Operator::Add,
        ('-' | '−', _) => Operator::Subtract,
        ('*', _) => Operator::Multiply,
        ('/', _) => Operator::Divide,
        ('^', _) => Operator::Power,
        ('<', false) => Operator::Less,
        ('<', true) | ('≤', false) => Operator::LessOrEqual,
        ('>', false) => Operator::Greater,
        ('>', true) | ('≥', false) => Operator::GreaterOrEqual,
        ('=', true) => Operator::Equal,
        ('!', true) | ('≠', false) => Operator::NotEqual,
        _ => return None,
    })
}

/// How tightly it binds to its left and to its right.
fn powers(operator: Operator) -> (u8, u8) {
    match operator {
        Operator::Add | Operator::Subtract => (2, 2),
        Operator::Multiply | Operator::Divide => (4, 4),
        // To the right: 2^3^2 is 2^9; and 2^-1 works since operands may have a
        // sign.
        Operator::Power => (8, 7),
        _ => (1, 1),
    }
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn usage(name: &str) -> String {
    let arguments = Function::ALL
        .iter()
        .find(|&&(other, ..)| other == name)
        .map(|&(_, _, arguments)| arguments.join(", "))
        .unwrap_or_default();
    format!("write {name}({arguments})")
}

/// For signs that look right but are not plain ASCII.
fn spelling(found: char) -> Option<&'static str> {
    Some(match found {
        '–' => "write - for minus",
        '·' | '×' => "write * for times",
        '÷' | ':' => "write / for divided by",
        '√' => "write sqrt(…)",
        '²' => "write ^2",
        '\'' | '"' => "write the name of a joint where a joint is asked for: weight(v2, 'neck')",
        '=' => "write == to compare",
        '!' => "write != to compare, or 1 - a for not",
        '&' => "write a * b where both must hold",
        '|' => "write max(a, b) where one must hold",
        '?' => "write if(condition, a, b)",
        ',' => {
            "write the point of a number as ., and arguments within the parentheses of a function"
        }
        _ => return None,
    })
}

/// Is this name taken, so that no parameter may have it?
#[must_use]
pub(crate) fn is_reserved(name: &str) -> bool {
    name == "pi"
        || name == "deg"
        || vertex_name(name).is_some()
        || Function::ALL.iter().any(|&(other, ..)| other == name)
}
