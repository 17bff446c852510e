"""tourney"""
