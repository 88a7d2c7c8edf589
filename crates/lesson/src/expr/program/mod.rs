//! Programs: assignments, loops over joints and numbers, conditions, and statements that
//! move joints.

mod run;
#[cfg(test)]
mod tests;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};

use crate::expr::eval::FormulaNode;
use crate::expr::functions::FormulaFunction;
use crate::expr::parse::{Parser, error_at, is_name_char, names};
pub use run::{Moves, ProgramError, ProgramRun};

#[cfg(any(test, feature = "testing"))]
pub use run::PROGRAM_RUNS;

/// A parsed program, which moves the joints of a rig.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseProgram {
    /// The text of the program.
    pub source: String,
    statements: Vec<Statement>,
}

impl PoseProgram {
    /// Parses a program.
    ///
    /// # Errors
    /// If the text is no program, or exceeds 4000 characters, 200 statements or 8 levels of
    /// braces. The error points at a character of the whole text, for [`Self::place`].
    pub fn parse(source: &str) -> Result<Self, Diagnostic> {
        let statements = parse(source)?;
        Ok(Self { source: source.to_owned(), statements })
    }

    /// Converts a character index, from 1, to a line and column, from 1.
    pub fn place(source: &str, character: usize) -> LineColumn {
        let mut at = LineColumn { line: 1, column: 1 };
        for c in source.chars().take(character.saturating_sub(1)) {
            if c == '\n' {
                at = LineColumn { line: at.line + 1, column: 1 };
            } else {
                at.column += 1;
            }
        }
        at
    }
}

/// The message of the error includes the line and column, because a program has many lines
/// and the error of a key points only at the beginning of its value.
impl TryFrom<String> for PoseProgram {
    type Error = Diagnostic;

    fn try_from(source: String) -> Result<Self, Diagnostic> {
        Self::parse(source.trim_end()).map_err(|error| {
            let Place::Character(character) = error.at else {
                return error;
            };
            let at = Self::place(&source, character);
            let title = format!(
                "line {}, column {} of the program: {}",
                at.line,
                at.column,
                error.sentence()
            );
            error.title(title).at(Place::default())
        })
    }
}

// The parser.

const MAX_CHARS: usize = 4000;
const MAX_STATEMENTS: usize = 200;
/// Maximum nesting depth of braces.
const MAX_BLOCK_DEPTH: usize = 8;
/// Words that cannot be names of variables.
const KEYWORDS: [&str; 6] = ["for", "in", "if", "else", "to", "joints"];

const STATEMENT_HELP: &str =
    "write name = formula, rotate_z(joint, angle), for j in joints { … } or if a < b { … }";

fn parse(source: &str) -> Result<Vec<Statement>, Diagnostic> {
    let mut reader = ProgramReader {
        parser: Parser::new(source, MAX_CHARS, true),
        statement_count: 0,
        block_depth: 0,
    };
    if source.chars().nth(MAX_CHARS).is_some() {
        let expected = format!("a program of at most {MAX_CHARS} characters");
        return Err(error_at(0, expected, "", "make it shorter"));
    }
    let statements = reader.statements()?;
    match reader.parser.peek() {
        None => Ok(statements),
        Some(_) => {
            Err(error_at(reader.parser.at, "the end", "`}` without its `{`", "leave it out"))
        }
    }
}

struct ProgramReader {
    parser: Parser,
    statement_count: usize,
    block_depth: usize,
}

impl ProgramReader {
    /// Parses statements up to a closing brace or the end.
    fn statements(&mut self) -> Result<Vec<Statement>, Diagnostic> {
        let mut statements = Vec::new();
        loop {
            match self.skip_line_ends() {
                None | Some('}') => return Ok(statements),
                Some(_) => {
                    self.statement_count += 1;
                    if self.statement_count > MAX_STATEMENTS {
                        let expected = format!("at most {MAX_STATEMENTS} statements");
                        return Err(error_at(self.parser.at, expected, "more", "use a loop"));
                    }
                    statements.push(self.statement()?);
                    self.end_of_statement()?;
                }
            }
        }
    }

    /// Skips ends of lines and returns the next character without consuming it.
    fn skip_line_ends(&mut self) -> Option<char> {
        while let Some('\n' | ';') = self.parser.peek() {
            self.parser.at += 1;
        }
        self.parser.peek()
    }

    fn end_of_statement(&mut self) -> Result<(), Diagnostic> {
        match self.parser.peek() {
            None | Some('\n' | ';' | '}') => Ok(()),
            Some(found) => Err(self.parser.unexpected(found)),
        }
    }

    fn statement(&mut self) -> Result<Statement, Diagnostic> {
        let start = self.parser.at;
        let name = self.word();
        match name.as_str() {
            "" => Err(error_at(start, "a statement", self.found(), STATEMENT_HELP)),
            "for" => self.for_loop(start),
            "if" => self.if_statement(start),
            _ if self.parser.peek() == Some('(') => self.action(&name, start),
            _ => self.assign(name, start),
        }
    }

    fn assign(&mut self, name: String, start: usize) -> Result<Statement, Diagnostic> {
        if self.parser.peek() != Some('=') || self.parser.char(1) == Some('=') {
            let expected = format!("`=` after {name}");
            let at = self.parser.at;
            return Err(error_at(at, expected, self.found(), STATEMENT_HELP));
        }
        check_free_name(&name, start)?;
        self.parser.at += 1;
        let value = self.formula()?;
        Ok(Statement::Assign { name, column: start + 1, value })
    }

    fn for_loop(&mut self, start: usize) -> Result<Statement, Diagnostic> {
        self.parser.peek();
        let at = self.parser.at;
        let name = self.word();
        if name.is_empty() {
            let help = "write for j in joints { … } or for k in 0 to 3 { … }";
            return Err(error_at(at, "a name after `for`", self.found(), help));
        }
        check_free_name(&name, at)?;
        self.keyword("in")?;
        self.parser.peek();
        let before = self.parser.at;
        let over = if self.word() == "joints" && self.parser.peek() == Some('{') {
            LoopRange::Joints
        } else {
            self.parser.at = before;
            let first = self.formula()?;
            self.keyword("to")?;
            LoopRange::Range(first, self.formula()?)
        };
        Ok(Statement::For { name, column: start + 1, over, body: self.block()? })
    }

    fn if_statement(&mut self, start: usize) -> Result<Statement, Diagnostic> {
        let condition = self.formula()?;
        let then = self.block()?;
        let before = self.parser.at;
        let otherwise = if self.skip_line_ends().is_some() && self.word() == "else" {
            self.parser.peek();
            let start = self.parser.at;
            if self.word() == "if" {
                self.enter_block()?;
                let inner = self.if_statement(start)?;
                self.block_depth -= 1;
                vec![inner]
            } else {
                self.parser.at = start;
                self.block()?
            }
        } else {
            self.parser.at = before;
            Vec::new()
        };
        Ok(Statement::If { condition, column: start + 1, then, otherwise })
    }

    fn action(&mut self, name: &str, start: usize) -> Result<Statement, Diagnostic> {
        let signatures: Vec<_> = Action::ALL.iter().filter(|&&(other, ..)| other == name).collect();
        if signatures.is_empty() {
            if FormulaFunction::ALL.iter().any(|&(other, ..)| other == name) {
                let expected = "a statement that does something";
                let found = format!("the value of {name}");
                let help = format!("put it into a name: a = {name}(…)");
                return Err(error_at(start, expected, found, help));
            }
            let names: Vec<&str> = Action::ALL.iter().map(|&(name, ..)| name).collect();
            let unknown = Diagnostic::unknown("statement", name, &names);
            return Err(unknown.at(Place::Character(start + 1)));
        }
        let mut arguments = self.parser.call_arguments(|index| index == 0)?;
        // The joint comes before the arguments of the signature.
        let count = arguments.len();
        let signature = signatures.iter().find(|(_, _, others)| others.len() + 1 == count);
        let Some(&&(_, action, _)) = signature else {
            let counts: Vec<String> =
                signatures.iter().map(|signature| (signature.2.len() + 1).to_string()).collect();
            let expected = format!("{} arguments of {name}", counts.join(" or "));
            let found = arguments.len().to_string();
            return Err(error_at(start, expected, found, Action::usage(name)));
        };
        arguments.iter().try_for_each(check_no_mesh)?;
        let joint: FormulaNode = arguments.remove(0);
        Ok(Statement::Move { action, joint, arguments, column: start + 1 })
    }

    fn formula(&mut self) -> Result<FormulaNode, Diagnostic> {
        let formula = self.parser.formula()?;
        check_no_mesh(&formula)?;
        Ok(formula)
    }

    fn block(&mut self) -> Result<Vec<Statement>, Diagnostic> {
        self.enter_block()?;
        self.skip_line_ends();
        self.parser.expect('{')?;
        let statements = self.statements()?;
        self.parser.expect('}')?;
        self.block_depth -= 1;
        Ok(statements)
    }

    fn enter_block(&mut self) -> Result<(), Diagnostic> {
        self.block_depth += 1;
        if self.block_depth > MAX_BLOCK_DEPTH {
            let expected = format!("at most {MAX_BLOCK_DEPTH} levels of braces");
            return Err(error_at(self.parser.at, expected, "more", "leave some out"));
        }
        Ok(())
    }

    fn keyword(&mut self, keyword: &str) -> Result<(), Diagnostic> {
        self.parser.peek();
        let at = self.parser.at;
        if self.word() == keyword {
            return Ok(());
        }
        self.parser.at = at;
        let help = "write for j in joints { … } or for k in 0 to 3 { … }";
        Err(error_at(at, format!("`{keyword}`"), self.found(), help))
    }

    fn word(&mut self) -> String {
        let start = self.parser.at;
        if self.parser.char(0).is_some_and(|c| !c.is_ascii_digit()) {
            self.parser.skip(is_name_char);
        }
        self.parser.text(start)
    }

    fn found(&self) -> String {
        match self.parser.char(0) {
            None => "the end".to_owned(),
            Some('\n') => "the end of the line".to_owned(),
            Some(found) => format!("`{found}`"),
        }
    }
}

/// Rejects functions of the mesh. A program computes the pose, so the mesh in that pose
/// does not exist yet.
fn check_no_mesh(formula: &FormulaNode) -> Result<(), Diagnostic> {
    match formula.mesh_function() {
        None => Ok(()),
        Some((name, column)) => Err(error_at(
            column - 1,
            "what joints, parameters and time say",
            format!("{name}, which follows from the pose or the mesh"),
            "use local(j), world(j), bind(j) and parameters",
        )),
    }
}

fn check_free_name(name: &str, at: usize) -> Result<(), Diagnostic> {
    if KEYWORDS.contains(&name) {
        let found = format!("`{name}`, which means something else");
        return Err(error_at(at, "a name of your own", found, "write another name"));
    }
    names::check_free_name(name, at)
}

// The syntax tree.

/// A statement. Columns are in characters of the whole text, from 1.
#[derive(Clone, Debug, PartialEq)]
enum Statement {
    /// `name = formula`
    Assign { name: String, column: usize, value: FormulaNode },
    /// `for name in … { … }`
    For { name: String, column: usize, over: LoopRange, body: Vec<Self> },
    /// `if condition { … } else { … }`
    If { condition: FormulaNode, column: usize, then: Vec<Self>, otherwise: Vec<Self> },
    /// `rotate_z(joint, angle)`
    Move { action: Action, joint: FormulaNode, arguments: Vec<FormulaNode>, column: usize },
}

#[derive(Clone, Debug, PartialEq)]
enum LoopRange {
    /// The indices of all joints.
    Joints,
    /// Whole numbers, both ends included.
    Range(FormulaNode, FormulaNode),
}

/// Change of a joint by a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// Rotation about an axis of the joint: 0 is x.
    RotateAxis(usize),
    /// Rotation by a quaternion.
    Rotate,
    Translate,
    Scale,
    SetLocal,
}

impl Action {
    /// Name, action, and names of the arguments after the joint.
    const ALL: [(&'static str, Self, &'static [&'static str]); 9] = [
        ("rotate_x", Self::RotateAxis(0), &["angle"]),
        ("rotate_y", Self::RotateAxis(1), &["angle"]),
        ("rotate_z", Self::RotateAxis(2), &["angle"]),
        ("rotate", Self::Rotate, &["quat"]),
        ("translate", Self::Translate, &["x", "y", "z"]),
        ("translate", Self::Translate, &["vec3"]),
        ("scale", Self::Scale, &["x", "y", "z"]),
        ("scale", Self::Scale, &["factor"]),
        ("set_local", Self::SetLocal, &["matrix"]),
    ];

    /// Help text with all signatures: `write rotate_z(joint, angle)`.
    fn usage(name: &str) -> String {
        let signatures: Vec<String> = Self::ALL
            .iter()
            .filter(|&&(other, ..)| other == name)
            .map(|(_, _, arguments)| format!("{name}(joint, {})", arguments.join(", ")))
            .collect();
        format!("write {}", signatures.join(" or "))
    }
}
