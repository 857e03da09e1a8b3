"""From text to tensors: vocabulary, inputs for masked words and for pairs, hidden words, labelled inputs."""
