"""Talk: questions and answers, requests, and what somebody says, in quotation marks or reported."""
