class Queue:
    def __init__(self):
        self.inbox, self.outbox = [], []

    def put(self, item):
        self.inbox.append(item)

    def get(self):
        if not self.outbox:
            while self.inbox:
                self.outbox.append(self.inbox.pop())
        if not self.outbox:
            raise IndexError("empty queue")
        return self.outbox.pop()


def operate(commands: list[bool]) -> int:
    """True puts, False gets."""
    queue = Queue()
    failed = 0
    for i, command in enumerate(commands):
        if command:
            queue.put(i)
        else:
            try:
                queue.get()
            except IndexError:
                failed += 1
    return failed
