def balanced(text: str) -> bool:
    stack = []
    pairs = {")": "(", "]": "["}
    for ch in text:
        if ch in "([":
            stack.append(ch)
        elif not stack or stack.pop() != pairs.get(ch):
            return False
    return not stack
