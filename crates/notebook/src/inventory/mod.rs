//! The concept inventory of a lesson at work: which questions its two forms ask, what
//! an answer is worth, what was answered, and which misconceptions that shows.

mod form;
mod form_record;
mod holding;
mod question_values;

pub use form::{
    Form, FormAct, OpenForm, asked_questions, form_file, option_letter, questions_of, shown_options,
};
pub use form_record::{FormAnswer, FormRecord, Forms};
pub use holding::{Holding, held_elsewhere, holding, result_words};
pub use question_values::{OptionValue, QuestionError, QuestionWrong, option_values, value_words};
