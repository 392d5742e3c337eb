"""Multiplication of two n x n Boolean matrices; a row stops at the first hit."""


def boolean_matrix_product(a: list[list[bool]], b: list[list[bool]]) -> list[list[bool]]:
    n = len(a)
    product = [[False] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                if a[i][k] and b[k][j]:
                    product[i][j] = True
                    break
    return product
