//! From text to tree: a Pratt parser.

pub(super) mod names;

use bindpose_diagnostic::{Diagnostic, Place};

use super::eval::{FormulaNode, Member, Operator};
use super::functions::{FormulaFunction, JOINT, OfRig, TypedFunction};

/// Longer formulas are refused. Also bounds how deep `1+1+1+…` gets, whose tree
/// leans to the left.
const MAX_CHARS: usize = 400;
/// Deeper nesting is refused.
const MAX_DEPTH: usize = 48;
/// How tightly unary minus binds: less than `^`, more than `*`.
const UNARY_POWER: u8 = 6;

/// A formula, with names before it, `k = 0.8; sin(k * t)`, put into their places.
pub(super) fn parse(source: &str) -> Result<FormulaNode, Diagnostic> {
    let mut parser = Parser::new(source, MAX_CHARS, false);
    if parser.chars.len() > MAX_CHARS {
        let expected = format!("a formula of at most {MAX_CHARS} characters");
        return Err(wrong(0, expected, "", "split it"));
    }
    while parser.put_into_name()? {}
    let node = parser.expression(0)?;
    match parser.peek() {
        None => Ok(node),
        Some(found) => Err(parser.unexpected(found)),
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

/// Reads formulas; of programs, also what stands around them.
pub(super) struct Parser {
    chars: Vec<char>,
    pub(super) at: usize,
    depth: usize,
    /// Did the last operand stand in parentheses?
    closed: bool,
    /// Of a program: lines end, and `//` begins a comment.
    of_program: bool,
    /// How many parentheses are open: a line does not end within them.
    parentheses: usize,
    /// Of a formula: names with what stands in their places, and how many parts that has.
    names: Vec<(String, FormulaNode, usize)>,
    /// Parts that stand in the places of names so far.
    parts: usize,
}

impl Parser {
    pub(super) fn new(source: &str, most: usize, of_program: bool) -> Self {
        Self {
            chars: source.chars().take(most + 1).collect(),
            at: 0,
            depth: 0,
            closed: false,
            of_program,
            parentheses: 0,
            names: Vec::new(),
            parts: 0,
        }
    }

    /// A formula within a program, as long as formulas may be, so that no tree gets
    /// too deep.
    pub(super) fn formula(&mut self) -> Result<FormulaNode, Diagnostic> {
        self.peek();
        (self.depth, self.parentheses) = (0, 0);
        let start = self.at;
        let node = self.expression(0)?;
        self.not_too_long(start)?;
        Ok(node)
    }

    fn not_too_long(&self, start: usize) -> Result<(), Diagnostic> {
        if self.at - start > MAX_CHARS {
            let expected = format!("a formula of at most {MAX_CHARS} characters");
            let help = "put a part of it into a name before";
            return Err(wrong(start, expected, "", help));
        }
        Ok(())
    }

    /// What stands where an operator or the end should.
    pub(super) fn unexpected(&self, found: char) -> Diagnostic {
        match found {
            ')' => wrong(self.at, "the end", "`)` without its `(`", "leave it out"),
            _ => wrong(
                self.at,
                "an operator or the end",
                format!("`{found}`"),
                spelling(found).unwrap_or("write + - * / or ^ between values"),
            ),
        }
    }

    /// Reads operators that bind more tightly than `power`.
    pub(super) fn expression(&mut self, power: u8) -> Result<FormulaNode, Diagnostic> {
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
        left = self.members(left)?;
        while let Some((operator, length)) = self.operator() {
            let (left_power, right_power) = powers(operator);
            if left_power <= power {
                break;
            }
            let is_compared = |node: &FormulaNode| matches!(node, FormulaNode::Binary(other, ..) if other.is_comparison());
            if operator.is_comparison() && is_compared(&left) && !self.closed {
                return Err(wrong(
                    self.at,
                    "one comparison",
                    "a second one",
                    "write (a < b) * (b < c), which is 1 where both hold",
                ));
            }
            let column = self.at + 1;
            self.at += length;
            let right = self.expression(right_power)?;
            self.closed = false;
            left = FormulaNode::Binary(operator, Box::new(left), Box::new(right), column);
        }
        self.depth -= 1;
        Ok(left)
    }

    /// The parts that are asked for after points: `p.x`.
    fn members(&mut self, mut node: FormulaNode) -> Result<FormulaNode, Diagnostic> {
        // What follows the digits of a number belongs to the number.
        while self.char(0) == Some('.') && !matches!(node, FormulaNode::Number(_)) {
            self.at += 1;
            let start = self.at;
            self.skip(is_name_char);
            let name = self.text(start);
            let Some(&(_, member)) = Member::NAMES.iter().find(|&&(other, _)| other == name) else {
                let help = "write .x, .y, .z or .w; a cell of a matrix is cell(m, row, column)";
                let found =
                    if name.is_empty() { "nothing".to_owned() } else { format!("`{name}`") };
                return Err(wrong(start, "a part after the point", found, help));
            };
            node = FormulaNode::Member(Box::new(node), member, start);
        }
        Ok(node)
    }

    fn operand(&mut self) -> Result<FormulaNode, Diagnostic> {
        let Some(next) = self.peek() else {
            return Err(wrong(self.at, "a value", "the end", VALUE_HELP));
        };
        if self.of_program && next == '\n' {
            return Err(wrong(self.at, "a value", "the end of the line", VALUE_HELP));
        }
        self.closed = next == '(';
        match next {
            '-' | '−' => {
                self.at += 1;
                Ok(FormulaNode::Negate(Box::new(self.expression(UNARY_POWER)?)))
            }
            '+' => {
                self.at += 1;
                self.expression(UNARY_POWER)
            }
            'π' => {
                self.at += 1;
                Ok(FormulaNode::Pi)
            }
            '(' => {
                self.open()?;
                let inner = self.expression(0)?;
                self.close()?;
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

    fn name(&mut self) -> Result<FormulaNode, Diagnostic> {
        let start = self.at;
        self.skip(is_name_char);
        let name = self.text(start);
        if self.peek() == Some('(') {
            return self.call(&name, start);
        }
        if let Some(node) = self.named(&name, start)? {
            return Ok(node);
        }
        if name == "pi" {
            return Ok(FormulaNode::Pi);
        }
        if let Some(vertex) = vertex_name(&name) {
            return Ok(FormulaNode::Vertex(vertex));
        }
        if name == "world_from_mesh_node" {
            return Ok(FormulaNode::Call {
                function: FormulaFunction::Typed(TypedFunction::OfRig(OfRig::WorldFromMeshNode)),
                arguments: Vec::new(),
                column: start + 1,
            });
        }
        if name == "deg" {
            let expected = "a number before the unit deg";
            return Err(wrong(self.at, expected, "", "write 45deg"));
        }
        if is_reserved(&name) {
            let expected = format!("`(` after the function {name}");
            return Err(wrong(self.at, expected, "", FormulaFunction::usage(&name)));
        }
        Ok(FormulaNode::Name { name, column: start + 1 })
    }

    fn call(&mut self, name: &str, start: usize) -> Result<FormulaNode, Diagnostic> {
        let known = || FormulaFunction::ALL.iter().filter(|&&(other, ..)| other == name);
        if known().next().is_none() {
            let names: Vec<&str> = FormulaFunction::ALL.iter().map(|&(name, ..)| name).collect();
            let unknown = Diagnostic::unknown("function", name, &names);
            return Err(unknown.at(Place::Character(start + 1)));
        }
        let takes_joint = |index: usize| known().any(|row| row.2.get(index) == Some(&JOINT));
        let arguments = self.arguments(takes_joint)?;
        let count = arguments.len();
        let Some(&(_, function, _)) = known().find(|row| row.2.len() == count) else {
            let counts: Vec<String> = known().map(|row| row.2.len().to_string()).collect();
            let expected = format!("{} arguments of {name}", counts.join(" or "));
            let help = FormulaFunction::usage(name);
            return Err(wrong(start, expected, count.to_string(), help));
        };
        Ok(FormulaNode::Call { function, arguments, column: start + 1 })
    }

    /// The arguments of a statement.
    pub(super) fn call_arguments(
        &mut self,
        takes_joint: impl Fn(usize) -> bool,
    ) -> Result<Vec<FormulaNode>, Diagnostic> {
        let start = self.at;
        (self.depth, self.parentheses) = (0, 0);
        let arguments = self.arguments(takes_joint)?;
        self.not_too_long(start)?;
        Ok(arguments)
    }

    /// In parentheses, with commas between. A joint may be named in quotes.
    fn arguments(
        &mut self,
        takes_joint: impl Fn(usize) -> bool,
    ) -> Result<Vec<FormulaNode>, Diagnostic> {
        self.open()?;
        let mut arguments = Vec::new();
        if self.peek() != Some(')') {
            loop {
                arguments.push(self.argument(takes_joint(arguments.len()))?);
                if self.peek() != Some(',') {
                    break;
                }
                self.at += 1;
            }
        }
        self.close()?;
        Ok(arguments)
    }

    fn argument(&mut self, joint: bool) -> Result<FormulaNode, Diagnostic> {
        if !matches!(self.peek(), Some('\'' | '"')) || !joint {
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
        Ok(FormulaNode::Joint { name, column })
    }

    /// The next character that is no space.
    pub(super) fn peek(&mut self) -> Option<char> {
        self.skip(|c| c == ' ');
        if self.of_program {
            let lines = self.parentheses > 0;
            self.skip(|c| matches!(c, ' ' | '\t' | '\r') || lines && c == '\n');
            while self.char(0) == Some('/') && self.char(1) == Some('/') {
                self.skip(|c| c != '\n');
                self.skip(|c| matches!(c, ' ' | '\t' | '\r') || lines && c == '\n');
            }
        }
        self.char(0)
    }

    fn open(&mut self) -> Result<(), Diagnostic> {
        self.expect('(')?;
        self.parentheses += 1;
        Ok(())
    }

    fn close(&mut self) -> Result<(), Diagnostic> {
        self.peek();
        self.parentheses = self.parentheses.saturating_sub(1);
        self.expect(')')
    }

    /// The operator that stands next, and its characters.
    fn operator(&mut self) -> Option<(Operator, usize)> {
        let first = self.peek()?;
        let followed = self.char(1) == Some('=');
        let known = operator(first, followed)?;
        Some((known, if followed && known.is_comparison() { 2 } else { 1 }))
    }

    pub(super) fn expect(&mut self, expected: char) -> Result<(), Diagnostic> {
        match self.peek() {
            Some(found) if found == expected => {
                self.at += 1;
                Ok(())
            }
            found => {
                let found = match found {
                    None | Some('\n') => "the end".to_owned(),
                    Some(found) => format!("`{found}`"),
                };
                Err(wrong(
                    self.at,
                    format!("`{expected}`"),
                    found,
                    format!("write `{expected}` here"),
                ))
            }
        }
    }

    pub(super) fn char(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    pub(super) fn skip(&mut self, belongs: impl Fn(char) -> bool) {
        while self.char(0).is_some_and(&belongs) {
            self.at += 1;
        }
    }

    pub(super) fn text(&self, start: usize) -> String {
        self.chars.get(start..self.at).into_iter().flatten().collect()
    }
}

/// What is wrong at a character, counted from 0 here.
pub(super) fn wrong(
    at: usize,
    expected: impl Into<String>,
    found: impl Into<String>,
    help: impl Into<String>,
) -> Diagnostic {
    Diagnostic::expected(expected, found).help(help).at(Place::Character(at + 1))
}

const VALUE_HELP: &str = "write a number, a parameter, or a function such as x(v2)";

pub(super) fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Is this name taken, so that no parameter may have it? Of functions that came
/// with types none is: without parentheses it may be a parameter.
pub(crate) fn is_reserved(name: &str) -> bool {
    name == "pi"
        || name == "deg"
        || vertex_name(name).is_some()
        || (FormulaFunction::ALL.iter())
            .any(|&(other, function, words)| other == name && !function.is_typed(words.len()))
}

// Signs: those of operators, and those that look like them.

/// By its first character, and whether `=` follows.
pub(super) fn operator(symbol: char, followed: bool) -> Option<Operator> {
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
pub(super) fn powers(operator: Operator) -> (u8, u8) {
    match operator {
        Operator::Add | Operator::Subtract => (2, 2),
        Operator::Multiply | Operator::Divide => (4, 4),
        // To the right: 2^3^2 is 2^9; and 2^-1 works since operands may have a
        // sign.
        Operator::Power => (8, 7),
        _ => (1, 1),
    }
}

/// For signs that look right but are not plain ASCII.
pub(super) fn spelling(found: char) -> Option<&'static str> {
    Some(match found {
        '–' => "write - for minus",
        '·' | '×' => "write * for times",
        '÷' | ':' => "write / for divided by",
        '√' => "write sqrt(…)",
        '²' => "write ^2",
        '\'' | '"' => "write the name of a joint where a joint is asked for: weight(v2, 'neck')",
        '{' | '}' => "braces go around the lines of a loop or an `if`",
        '=' => "write == to compare, or ; after what is put into a name",
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
