"""Exercises of chapter 11, fine-tuning: three faults of a job, told by what they do."""

from bertviz_lite.exercises import question


@question(
    hints=(
        "For each complaint, ask which line decides it: what is learned, what is scored, what is shown.",
        "A loss that stays where guessing is, from a good checkpoint: compare the recipe with the paper's.",
        "Which texts does the exam hold? And which label had number 0 while the model learned?",
    ),
    note="The third fault can't happen where the labels are saved with the model, as id2label and label2id: "
    "read model.config.id2label, and write no second list.",
)
def broken_job() -> str:
    """Give the letters of the three lines at fault, in the order of the three complaints."""
    # first: D, a rate of 1e-3, which breaks BERT-Base; the paper has 2e-5 to 5e-5
    # then: G, which asks the texts that it learned from; exam, made in E, is never used
    # in use: H, where the labels are in another order than in A, so the numbers mean other labels
    # (C without id2label is careless: it makes H's slip possible, but gives no wrong number)
    return "DGH"


broken_job.mistake("These are the three; the last two complaints are exchanged.", "DHG")
broken_job.mistake("These are the three; the first two complaints are exchanged.", "GDH")
broken_job.mistake("These are the three, in another order: which of them makes the loss stay?", "GHD")
broken_job.mistake("These are the three, in another order: which of them shows itself only in use?", "HDG")
broken_job.mistake("These are the three; the first and the last complaint are exchanged.", "HGD")
broken_job.mistake(
    "E makes both sets rightly, one of texts to learn from, one for the exam. Which of them is scored?", "DEH"
)
broken_job.mistake("F rightly learns from the first set. Which line scores, and on which set?", "DFH")
broken_job.mistake(
    "I loads the weights as they were saved. They give numbers; which line says what number 0 means?", "DGI"
)
broken_job.mistake(
    "J takes the largest logit, rightly. Is the list in which it looks up the label the one of the training?",
    "DGJ",
)
broken_job.mistake("A may have the labels in any order, so long as it is kept. Where isn't it?", "DGA")
broken_job.mistake(
    "C puts a new head on the pre-trained body, as it should. What would make the best body learn nothing?",
    "CGH",
)
broken_job.mistake(
    "With id2label in C the fault couldn't happen: that's careless. But C's numbers are right. Which line "
    "gives them other labels than A did?",
    "DGC",
)
