//! Parser of formulas, a Pratt parser.

pub(super) mod names;

use bindpose_diagnostic::{Diagnostic, Place};

use super::eval::{FormulaNode, Member, Operator};
use super::functions::{FormulaFunction, JOINT, RigFunction, TypedFunction};

/// Maximum length of a formula. Also limits the depth of the left-leaning tree of `1+1+1+…`.
const MAX_CHARS: usize = 400;
const MAX_DEPTH: usize = 48;
/// Binding power of unary minus: below `^`, above `*`.
const UNARY_POWER: u8 = 6;

/// Parses a formula. Definitions before it, `k = 0.8; sin(k * t)`, are substituted.
pub(super) fn parse(source: &str) -> Result<FormulaNode, Diagnostic> {
    let mut parser = Parser::new(source, MAX_CHARS, false);
    if parser.chars.len() > MAX_CHARS {
        let expected = format!("a formula of at most {MAX_CHARS} characters");
        return Err(error_at(0, expected, "", "split it"));
    }
    while parser.parse_definition()? {}
    let node = parser.expression(0)?;
    match parser.peek() {
        None => Ok(node),
        Some(found) => Err(parser.unexpected(found)),
    }
}

/// Parses a vertex written as `v2`.
pub(super) fn vertex_name(name: &str) -> Option<u32> {
    let digits = name.strip_prefix('v')?;
    if digits.starts_with('+') {
        return None;
    }
    digits.parse().ok()
}

/// Parser of formulas, also used by the parser of programs.
pub(super) struct Parser {
    chars: Vec<char>,
    pub(super) at: usize,
    depth: usize,
    /// Whether the last operand was in parentheses.
    was_parenthesized: bool,
    /// Whether the text is a program, in which lines end and `//` begins a comment.
    is_program: bool,
    /// Number of open parentheses. Lines do not end within them.
    parentheses: usize,
    /// Definitions before a formula: name, value, and number of characters of the value.
    names: Vec<(String, FormulaNode, usize)>,
    /// Number of characters substituted for names so far.
    substituted_chars: usize,
}

impl Parser {
    pub(super) fn new(source: &str, max_chars: usize, is_program: bool) -> Self {
        Self {
            chars: source.chars().take(max_chars + 1).collect(),
            at: 0,
            depth: 0,
            was_parenthesized: false,
            is_program,
            parentheses: 0,
            names: Vec::new(),
            substituted_chars: 0,
        }
    }

    /// Parses a formula within a program. The limits of single formulas apply, so that no
    /// tree gets too deep.
    pub(super) fn formula(&mut self) -> Result<FormulaNode, Diagnostic> {
        self.peek();
        self.depth = 0;
        self.parentheses = 0;
        let start = self.at;
        let node = self.expression(0)?;
        self.check_length(start)?;
        Ok(node)
    }

    fn check_length(&self, start: usize) -> Result<(), Diagnostic> {
        if self.at - start > MAX_CHARS {
            let expected = format!("a formula of at most {MAX_CHARS} characters");
            let help = "put a part of it into a name before";
            return Err(error_at(start, expected, "", help));
        }
        Ok(())
    }

    /// Reports a character in place of an operator or the end.
    pub(super) fn unexpected(&self, found: char) -> Diagnostic {
        match found {
            ')' => error_at(self.at, "the end", "`)` without its `(`", "leave it out"),
            _ => error_at(
                self.at,
                "an operator or the end",
                format!("`{found}`"),
                spelling_help(found).unwrap_or("write + - * / or ^ between values"),
            ),
        }
    }

    /// Parses an expression of operators that bind more tightly than `power`.
    pub(super) fn expression(&mut self, power: u8) -> Result<FormulaNode, Diagnostic> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(error_at(
                self.at,
                format!("at most {MAX_DEPTH} levels of nesting"),
                "",
                "leave out parentheses that change nothing",
            ));
        }
        let mut left = self.operand()?;
        left = self.members(left)?;
        while let Some((operator, length)) = self.operator() {
            let (left_power, right_power) = binding_powers(operator);
            if left_power <= power {
                break;
            }
            let is_chained = matches!(&left, FormulaNode::Binary(other, ..) if other.is_comparison())
                && !self.was_parenthesized;
            if operator.is_comparison() && is_chained {
                return Err(error_at(
                    self.at,
                    "one comparison",
                    "a second one",
                    "write (a < b) * (b < c), which is 1 where both hold",
                ));
            }
            let column = self.at + 1;
            self.at += length;
            let right = self.expression(right_power)?;
            self.was_parenthesized = false;
            left = FormulaNode::Binary(operator, Box::new(left), Box::new(right), column);
        }
        self.depth -= 1;
        Ok(left)
    }

    /// Parses components after points: `p.x`.
    fn members(&mut self, mut node: FormulaNode) -> Result<FormulaNode, Diagnostic> {
        // A point after the digits of a number belongs to the number.
        while self.char(0) == Some('.') && !matches!(node, FormulaNode::Number(_)) {
            self.at += 1;
            let start = self.at;
            self.skip(is_name_char);
            let name = self.text(start);
            let Some(&(_, member)) = Member::NAMES.iter().find(|&&(other, _)| other == name) else {
                let help = "write .x, .y, .z or .w; a cell of a matrix is cell(m, row, column)";
                let found =
                    if name.is_empty() { "nothing".to_owned() } else { format!("`{name}`") };
                return Err(error_at(start, "a part after the point", found, help));
            };
            node = FormulaNode::Member(Box::new(node), member, start);
        }
        Ok(node)
    }

    fn operand(&mut self) -> Result<FormulaNode, Diagnostic> {
        let Some(next) = self.peek() else {
            return Err(error_at(self.at, "a value", "the end", VALUE_HELP));
        };
        if self.is_program && next == '\n' {
            return Err(error_at(self.at, "a value", "the end of the line", VALUE_HELP));
        }
        self.was_parenthesized = next == '(';
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
                self.was_parenthesized = true;
                Ok(inner)
            }
            '0'..='9' | '.' => self.number(),
            c if c.is_ascii_alphabetic() || c == '_' => self.name(),
            found => Err(error_at(
                self.at,
                "a value",
                format!("`{found}`"),
                spelling_help(found).unwrap_or(VALUE_HELP),
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
        if let Some(node) = self.substitution(&name, start)? {
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
                function: FormulaFunction::Typed(TypedFunction::Rig(
                    RigFunction::WorldFromMeshNode,
                )),
                arguments: Vec::new(),
                column: start + 1,
            });
        }
        if name == "deg" {
            let expected = "a number before the unit deg";
            return Err(error_at(self.at, expected, "", "write 45deg"));
        }
        if is_reserved(&name) {
            let expected = format!("`(` after the function {name}");
            return Err(error_at(self.at, expected, "", FormulaFunction::usage(&name)));
        }
        Ok(FormulaNode::Name { name, column: start + 1 })
    }

    fn call(&mut self, name: &str, start: usize) -> Result<FormulaNode, Diagnostic> {
        let signatures: Vec<_> =
            FormulaFunction::ALL.iter().filter(|&&(other, ..)| other == name).collect();
        if signatures.is_empty() {
            let names: Vec<&str> = FormulaFunction::ALL.iter().map(|&(name, ..)| name).collect();
            let unknown = Diagnostic::unknown("function", name, &names);
            return Err(unknown.at(Place::Character(start + 1)));
        }
        let arguments = self.arguments(|index| {
            signatures.iter().any(|(_, _, arguments)| arguments.get(index) == Some(&JOINT))
        })?;
        let count = arguments.len();
        let signature = signatures.iter().find(|(_, _, arguments)| arguments.len() == count);
        let Some(&&(_, function, _)) = signature else {
            let counts: Vec<String> =
                signatures.iter().map(|(_, _, arguments)| arguments.len().to_string()).collect();
            let expected = format!("{} arguments of {name}", counts.join(" or "));
            let help = FormulaFunction::usage(name);
            return Err(error_at(start, expected, count.to_string(), help));
        };
        Ok(FormulaNode::Call { function, arguments, column: start + 1 })
    }

    /// Parses the arguments of a statement.
    pub(super) fn call_arguments(
        &mut self,
        takes_joint: impl Fn(usize) -> bool,
    ) -> Result<Vec<FormulaNode>, Diagnostic> {
        let start = self.at;
        self.depth = 0;
        self.parentheses = 0;
        let arguments = self.arguments(takes_joint)?;
        self.check_length(start)?;
        Ok(arguments)
    }

    /// Parses arguments in parentheses. A joint can be named in quotes.
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

    fn argument(&mut self, is_joint: bool) -> Result<FormulaNode, Diagnostic> {
        if !matches!(self.peek(), Some('\'' | '"')) || !is_joint {
            return self.expression(0);
        }
        let start = self.at;
        let quote = self.char(0);
        self.at += 1;
        self.skip(|c| Some(c) != quote);
        let name = self.text(start + 1);
        if self.char(0) != quote {
            return Err(error_at(
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

    /// Skips space and comments, and returns the next character without consuming it.
    pub(super) fn peek(&mut self) -> Option<char> {
        self.skip(|c| c == ' ');
        if self.is_program {
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

    /// Returns the next operator and its length in characters.
    fn operator(&mut self) -> Option<(Operator, usize)> {
        let first = self.peek()?;
        let is_followed_by_equals = self.char(1) == Some('=');
        let known = operator(first, is_followed_by_equals)?;
        let has_two_chars = is_followed_by_equals && known.is_comparison();
        Some((known, if has_two_chars { 2 } else { 1 }))
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
                Err(error_at(
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

/// An error at a character, counted from 0.
pub(super) fn error_at(
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

/// Whether no parameter may have this name. Names of typed functions are not reserved:
/// without parentheses they can be parameters.
pub(crate) fn is_reserved(name: &str) -> bool {
    name == "pi"
        || name == "deg"
        || vertex_name(name).is_some()
        || FormulaFunction::ALL.iter().any(|&(other, function, arguments)| {
            other == name && !function.is_typed(arguments.len())
        })
}

// Operators, and characters that look like them.

/// Returns the operator of a character, optionally followed by `=`.
pub(super) fn operator(symbol: char, is_followed_by_equals: bool) -> Option<Operator> {
    Some(match (symbol, is_followed_by_equals) {
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

/// Binding powers to the left and to the right.
pub(super) fn binding_powers(operator: Operator) -> (u8, u8) {
    match operator {
        Operator::Add | Operator::Subtract => (2, 2),
        Operator::Multiply | Operator::Divide => (4, 4),
        // Binds to the right: 2^3^2 is 2^9. Operands may have a sign, so 2^-1 parses.
        Operator::Power => (8, 7),
        _ => (1, 1),
    }
}

/// Help for characters that resemble an operator.
pub(super) fn spelling_help(found: char) -> Option<&'static str> {
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
