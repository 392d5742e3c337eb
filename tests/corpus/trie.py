class Trie:
    def __init__(self):
        self.children = {}
        self.is_end = False

    def add(self, word):
        node = self
        for ch in word:
            if ch not in node.children:
                node.children[ch] = Trie()
            node = node.children[ch]
        node.is_end = True


def build(words: list[str]) -> int:
    trie = Trie()
    for word in words:
        trie.add(word)
    return len(trie.children)
