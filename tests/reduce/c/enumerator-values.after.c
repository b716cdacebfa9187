enum E { A , B, C  };
